import ActorStore
import Foundation
import Testing

/// Calls with vectors of more than 16 bytes in every position.
///
/// In optimized builds, compilers before 6.4 allocate frames that are too small for some async functions with such
/// vectors (`docs/VectorsInAsyncFunctions.md`). The library's functions avoid the bug. Functions that call the library
/// cannot avoid it, and these tests are such functions. So an optimized build runs them only from `.ci/frames`, which
/// puts unused memory after each function's frame and verifies that no library function writes there.
@Suite(.enabled(if: framesAreSafe, "optimized builds allocate frames that are too small for these functions"))
struct VectorTests {
  @Test func fourDoubles() async {
    await Positions(SIMD4<Double>(1, 2, 3, 4), SIMD4(5, 6, 7, 8)).all()
  }

  @Test func eightInts() async {
    await Positions(SIMD8<Int>(1, 2, 3, 4, 5, 6, 7, 8), SIMD8(9, 10, 11, 12, 13, 14, 15, 16)).all()
  }

  /// Types with 16-byte alignment that are not vectors take the same paths.
  @Test func wideIntegers() async {
    await Positions(Int128.max, Int128.min).all()
  }
}

private let framesAreSafe: Bool = {
  #if DEBUG || compiler(>=6.4)
    true
  #else
    ProcessInfo.processInfo.environment["ACTORSTORE_FRAMES"] != nil
  #endif
}()

/// The calls, each of which contains a vector.
private final class Positions<Vector: Equatable & Sendable>: Sendable {
  private struct State: Equatable, Sendable {
    var vector: Vector
    var count = 0

    /// Sets the vector, and returns its previous value.
    @inline(never)
    mutating func exchange(_ new: Vector) -> Vector {
      let before = vector
      (vector, count) = (new, count + 1)
      return before
    }
  }

  private struct Refused: Error, Equatable {
    let vector: Vector
  }

  private struct Slow: Action {
    let vector: Vector

    func run(_ state: inout State) async -> Vector {
      await Task.yield()
      return state.exchange(vector)
    }
  }

  private struct Fast: Mutation {
    let vector: Vector

    func run(_ state: inout State) -> Vector { state.exchange(vector) }
  }

  private struct Refusing: Action {
    let vector: Vector

    func run(_ state: inout State) async throws(Refused) -> Vector {
      await Task.yield()
      throw Refused(vector: vector)
    }
  }

  private struct RefusingFast: Mutation {
    let vector: Vector

    func run(_ state: inout State) throws(Refused) -> Vector { throw Refused(vector: vector) }
  }

  /// Holds a vector, and runs on a state that has none.
  private struct Count: Action {
    let vector: Vector
    let isRefused: Bool

    func run(_ count: inout Int) async throws(Refused) -> Vector {
      await Task.yield()
      if isRefused { throw Refused(vector: vector) }
      count += 1
      return vector
    }
  }

  private struct Group: ActionGroup {
    let vector: Vector
    let isRefused: Bool

    func run(with store: Store<State>) async throws(Refused) -> Vector {
      await store.dispatch(Slow(vector: vector))
      if isRefused { throw Refused(vector: vector) }
      return vector
    }
  }

  private actor Caller {
    private(set) var count = 0

    func observe(_ store: Store<State>) {
      store.select().observe(self) { owner, _ in owner.count += 1 }
      store.select(\.vector).observe(self) { owner, _ in owner.count += 1 }
    }

    func dispatch(_ positions: Positions, _ store: Store<State>) async -> Outcome<Vector> {
      await store.dispatch(Slow(vector: positions.other))
    }
  }

  private let one: Vector
  private let other: Vector

  init(_ one: Vector, _ other: Vector) {
    (self.one, self.other) = (one, other)
  }

  @inline(never)
  private func expect<Value: Equatable>(_ value: Value, _ expected: Value, at line: Int = #line) {
    #expect(value == expected, "line \(line)")
  }

  @concurrent func all() async {
    for _ in 0..<20 {
      await action()
      await mutation()
      await returning()
      await onAnActor()
      await inATask()
      await erased()
      await failingAction()
      await failingMutation()
      await withoutState()
      await closure()
      await asyncClosure()
      await capturingClosure()
      await sentAction()
      await sentFailure()
      await sentClosure()
      await overlapping()
      await sentOverlapping()
      await group()
      await failingGroup()
      await sentGroup()
      await transaction()
      await failingTransaction()
      await synchronousTransaction()
      await sentTransaction()
      await reaching()
      await streams()
      await observing()
    }
  }

  private func store() -> Store<State> { Store(State(vector: one)) }

  // Each function makes one call, so `.ci/frames` shows which of them the compiler bug affects.

  @inline(never)
  private func action() async {
    expect(await store().dispatch(Slow(vector: other)), .committed(one))
  }

  @inline(never)
  private func mutation() async {
    expect(await store().dispatch(Fast(vector: other)), .committed(one))
  }

  @inline(never)
  private func returning() async {
    expect(await store().dispatch(Slow(vector: other), returning: \.vector), .committed(other))
  }

  @inline(never)
  private func onAnActor() async {
    expect(await Caller().dispatch(self, store()), .committed(one))
  }

  @inline(never)
  private func inATask() async {
    let store = store()
    async let child: Void = expect(await store.dispatch(Slow(vector: other)), .committed(one))
    await child
  }

  @inline(never)
  private func erased() async {
    let action: any Action<State> = Slow(vector: other)
    expect((try? await store().dispatch(action))?.output as? Vector, one)
  }

  @inline(never)
  private func failingAction() async {
    do throws(Refused) {
      try await store().dispatch(Refusing(vector: other))
      Issue.record("no error was thrown")
    } catch {
      expect(error, Refused(vector: other))
    }
  }

  @inline(never)
  private func failingMutation() async {
    do throws(Refused) {
      try await store().dispatch(RefusingFast(vector: other))
      Issue.record("no error was thrown")
    } catch {
      expect(error, Refused(vector: other))
    }
  }

  @inline(never)
  private func withoutState() async {
    expect(try? await Store(0).dispatch(Count(vector: other, isRefused: false)), .committed(other))
  }

  @inline(never)
  private func closure() async {
    expect(await store().dispatch { $0.exchange(self.other) }, .committed(one))
  }

  @inline(never)
  private func asyncClosure() async {
    let outcome = await store().dispatch { state async in
      await Task.yield()
      return state.exchange(self.other)
    }
    expect(outcome, .committed(one))
  }

  @inline(never)
  private func capturingClosure() async {
    let outcome = await Store(0).dispatch { [other] count async in
      await Task.yield()
      count += 1
      return other
    }
    expect(outcome, .committed(other))
  }

  @inline(never)
  private func sentAction() async {
    expect(await store().send(Slow(vector: other)).outcome, .committed(one))
  }

  @inline(never)
  private func sentFailure() async {
    do throws(Refused) {
      _ = try await store().send(Refusing(vector: other)).outcome
      Issue.record("no error was thrown")
    } catch {
      expect(error, Refused(vector: other))
    }
  }

  @inline(never)
  private func sentClosure() async {
    let ticket = store().send { state async in
      await Task.yield()
      return state.exchange(self.other)
    }
    expect(await ticket.outcome, .committed(one))
  }

  @inline(never)
  private func overlapping() async {
    expect(await store().dispatch(Slow(vector: other), policy: .overlapping), .committed(one))
  }

  @inline(never)
  private func sentOverlapping() async {
    expect(await store().send(Slow(vector: other), policy: .overlapping).outcome, .committed(one))
  }

  @inline(never)
  private func group() async {
    expect(try? await store().dispatch(Group(vector: other, isRefused: false)).get(), other)
  }

  @inline(never)
  private func failingGroup() async {
    do throws(Refused) {
      _ = try await store().dispatch(Group(vector: other, isRefused: true))
      Issue.record("no error was thrown")
    } catch {
      expect(error, Refused(vector: other))
    }
  }

  @inline(never)
  private func sentGroup() async {
    expect(try? await store().send(Group(vector: other, isRefused: false)).outcome, .committed(other))
  }

  @inline(never)
  private func transaction() async {
    let outcome = try? await store().transaction { draft in try await draft.run(Slow(vector: self.other)) }
    expect(outcome, .committed(one))
  }

  @inline(never)
  private func synchronousTransaction() async {
    expect(try? await store().transaction { draft in try draft.run(Fast(vector: self.other)) }, .committed(one))
    let ticket = store().sendTransaction { draft in try draft.run(Fast(vector: self.other)) }
    expect(try? await ticket.outcome, .committed(one))
  }

  @inline(never)
  private func failingTransaction() async {
    do {
      try await store().transaction { draft in try await draft.run(Refusing(vector: self.other)) }
      Issue.record("no error was thrown")
    } catch {
      expect(error as? Refused, Refused(vector: other))
    }
  }

  @inline(never)
  private func sentTransaction() async {
    let ticket = store().sendTransaction { draft in try await draft.run(Slow(vector: self.other)) }
    expect(try? await ticket.outcome, .committed(one))
  }

  @inline(never)
  private func reaching() async {
    expect(try? await store().select().first { $0.vector == self.one }.vector, one)
  }

  @inline(never)
  private func streams() async {
    let store = store()
    let (states, values) = (store.states(), store.select(\.vector).values)
    await store.dispatch { _ = $0.exchange(self.other) }
    store.close()
    var count = 0
    for await state in states {
      expect(state.vector, count == 0 ? one : other)
      count += 1
    }
    for await vector in values {
      expect(vector, count == 2 ? one : other)
      count += 1
    }
    expect(count, 4)
  }

  @inline(never)
  private func observing() async {
    let store = store()
    let observer = Caller()
    await observer.observe(store)
    await store.dispatch { _ = $0.exchange(self.other) }
    while await observer.count < 4 { await Task.yield() }
    expect(await observer.count, 4)
    store.close()
  }
}
