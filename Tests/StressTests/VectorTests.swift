import ActorStore
import Testing

/// Vectors of more than 16 bytes in every position of a call, as the optimizer leaves them.
///
/// Compilers before 6.4 give some async functions less memory than they use for such vectors
/// (`docs/VectorsInAsyncFunctions.md`). These tests check the values. `.ci/frames` runs them again and checks that no
/// function of the library writes past its memory. Functions of these tests do: only the compiler can help that.
@Suite struct VectorTests {
  @Test func fourDoubles() async {
    await Positions(SIMD4<Double>(1, 2, 3, 4), SIMD4(5, 6, 7, 8)).all()
  }

  @Test func eightInts() async {
    await Positions(SIMD8<Int>(1, 2, 3, 4, 5, 6, 7, 8), SIMD8(9, 10, 11, 12, 13, 14, 15, 16)).all()
  }

  /// Types of 16 bytes' alignment that are no vectors take the same paths.
  @Test func wideIntegers() async {
    await Positions(Int128.max, Int128.min).all()
  }
}

/// The calls, each with a vector somewhere in it.
private final class Positions<Vector: Equatable & Sendable>: Sendable {
  private struct State: Equatable, Sendable {
    var vector: Vector
    var count = 0

    /// Sets the vector, and returns what it was.
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

  /// Holds a vector, and works on a state that has none.
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

  /// An actor that owns nothing, as views and services are.
  private actor Owner {
    private(set) var count = 0

    func observe(_ store: Store<State>) {
      store.observe(self) { owner, _ in owner.count += 1 }
      store.observe(self, of: \.vector) { owner, _ in owner.count += 1 }
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
      await actions()
      await erased()
      await errors()
      await withoutState()
      await closures()
      await sent()
      await overlapping()
      await groups()
      await transactions()
      await watched()
    }
  }

  private func store() -> Store<State> { Store(State(vector: one)) }

  private func actions() async {
    let store = store()
    expect(await store.dispatch(Slow(vector: other)), .committed(one))
    expect(await store.dispatch(Fast(vector: one)), .committed(other))
    expect(await store.state, State(vector: one, count: 2))
    expect(await store.dispatch(Slow(vector: other), returning: \.vector), .committed(other))
    expect(await store.dispatch(Fast(vector: one), returning: { $0.vector }), .committed(one))
    expect(await Owner().dispatch(self, store), .committed(one))
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { self.expect(await store.dispatch(Slow(vector: self.other)).output, self.other) }
      }
    }
  }

  private func erased() async {
    let store = store()
    let action: any Action<State> = Slow(vector: other)
    expect((try? await store.dispatch(action))?.output as? Vector, one)
  }

  private func errors() async {
    let store = store()
    for _ in 0..<2 {
      do throws(Refused) {
        try await store.dispatch(Refusing(vector: other))
        Issue.record("was not refused")
      } catch {
        expect(error, Refused(vector: other))
      }
      do throws(Refused) {
        try await store.dispatch(RefusingFast(vector: other))
        Issue.record("was not refused")
      } catch {
        expect(error, Refused(vector: other))
      }
    }
    expect(await store.state, State(vector: one))
  }

  private func withoutState() async {
    let counts = Store(0)
    for isRefused in [false, true, false] {
      do throws(Refused) {
        expect(try await counts.dispatch(Count(vector: other, isRefused: isRefused)), .committed(other))
        expect(isRefused, false)
      } catch {
        expect(error, Refused(vector: other))
        expect(isRefused, true)
      }
    }
    expect(await counts.state, 2)
  }

  private func closures() async {
    let store = store()
    await store.dispatch { $0.vector = self.other }
    expect(await store.dispatch { $0.vector }, .committed(other))
    let slow = await store.dispatch { state async in
      await Task.yield()
      return state.exchange(self.one)
    }
    expect(slow, .committed(other))
    let captured = await Store(0).dispatch { [other] count async in
      await Task.yield()
      count += 1
      return other
    }
    expect(captured, .committed(other))
    do throws(Refused) {
      try await store.dispatch { [other] _ async throws(Refused) in
        await Task.yield()
        throw Refused(vector: other)
      }
    } catch {
      expect(error, Refused(vector: other))
    }
  }

  private func sent() async {
    let store = store()
    let first = store.send(Slow(vector: other))
    let second = store.send(Slow(vector: one))
    let third = store.send { state async in
      await Task.yield()
      return state.exchange(self.other)
    }
    let fourth = store.send(Refusing(vector: other))
    expect(await first.outcome, .committed(one))
    expect(await second.outcome, .committed(other))
    expect(await third.outcome, .committed(one))
    do throws(Refused) {
      _ = try await fourth.outcome
      Issue.record("was not refused")
    } catch {
      expect(error, Refused(vector: other))
    }
  }

  private func overlapping() async {
    let store = store()
    expect(await store.dispatch(Slow(vector: other), policy: .overlapping), .committed(one))
    expect(await store.dispatch(Fast(vector: one), policy: .overlapping), .committed(other))
    expect(await store.dispatch(Slow(vector: other), policy: .overlapping, returning: \.vector), .committed(other))
    let ticket = store.send(Slow(vector: one), policy: .overlapping)
    expect(await ticket.outcome, .committed(other))
    do throws(Refused) {
      try await store.dispatch(Refusing(vector: one), policy: .overlapping)
      Issue.record("was not refused")
    } catch {
      expect(error, Refused(vector: one))
    }
  }

  private func groups() async {
    let store = store()
    for isRefused in [false, true] {
      do throws(Refused) {
        expect(try await store.dispatch(Group(vector: other, isRefused: isRefused)), other)
        expect(isRefused, false)
      } catch {
        expect(error, Refused(vector: other))
        expect(isRefused, true)
      }
    }
    let ticket = store.send(Group(vector: other, isRefused: false))
    expect(try? await ticket.outcome, .committed(other))
  }

  private func transactions() async {
    let store = store()
    let outcome = try? await store.transaction { draft in
      self.expect(try await draft.run(Slow(vector: self.other)), self.one)
      self.expect(try await draft.run(Fast(vector: self.one)), self.other)
      return draft.state.vector
    }
    expect(outcome, .committed(one))
    do {
      try await store.transaction { draft in try await draft.run(Refusing(vector: self.other)) }
      Issue.record("was not refused")
    } catch {
      expect(error as? Refused, Refused(vector: other))
    }
    let ticket = store.sendTransaction { draft in try await draft.run(Slow(vector: self.other)) }
    expect(try? await ticket.outcome, .committed(one))
  }

  private func watched() async {
    let store = store()
    let (states, values) = (store.states(), store.values(of: \.vector))
    let owner = Owner()
    await owner.observe(store)
    let reaching = Task { expect((try? await store.reaches { $0.vector == self.other })?.vector, other) }
    await store.dispatch(Slow(vector: other))
    await reaching.value
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
    while await owner.count < 4 { await Task.yield() }
  }
}
