import Testing

@testable import ActorStore

/// Dispatches actions of every shape in every way, which matters most in optimized builds.
///
/// Before an action runs, the store pushes its turn onto the memory of the task, and pops it afterward. Memory that the
/// compiler allocates there in between must not outlive the action. Examples are values of a generic caller or of an
/// opened existential, whose size is known only at run time, and values stored next to an error. If such memory
/// outlives the action, the runtime ends the program. After the pop, the task is no longer nested in an action.
@Suite struct ActionShapeTests {
  private struct Notes: Sendable {
    var count = 0
    var last = ""
  }

  /// A part whose value has a size that is known only at run time.
  private protocol Part: Sendable {
    associatedtype Value: Sendable
    var value: Value { get }
  }

  private struct Small: Part {
    var value: UInt8 { 7 }
  }

  private struct Large: Part {
    var value: (Int, String, [Int], Int, Int, Int) { (1, "two", [3], 4, 5, 6) }
  }

  private struct Refused<Value: Sendable>: Error {
    let value: Value
    let more: (Int, Int, Int)
  }

  @inline(never)
  private static func part(_ number: Int) -> any Part {
    number.isMultiple(of: 2) ? Small() : Large()
  }

  /// Opens an existential, and uses its value before and after a suspension.
  private struct Opening: Action {
    let number: Int

    func run(_ notes: inout Notes) async -> Int {
      let part = ActionShapeTests.part(number)
      let early = part.value
      notes.last = await Self.describe(part)
      notes.last += "\(early)".prefix(1)
      notes.count += 1
      return notes.count
    }

    private static func describe(_ part: some Part) async -> String {
      let value = part.value
      await Task.yield()
      return "\(type(of: value))"
    }
  }

  /// An action whose output and error can have any size.
  ///
  /// Depending on `number`, it suspends or not, and throws before suspending, after suspending, or not at all.
  private struct Demanding<Value: Sendable>: Action {
    let value: Value
    let number: Int

    func run(_ notes: inout Notes) async throws(Refused<Value>) -> [Value] {
      notes.count += 1
      if number % 4 == 1 { throw Refused(value: value, more: (1, 2, 3)) }
      if number % 4 > 1 { await Task.yield() }
      if number % 4 == 3 { throw Refused(value: value, more: (4, 5, 6)) }
      return [value]
    }
  }

  /// Starts child tasks, sets a task-local value, and returns whether its nested dispatch was deferred.
  private struct Branching<Value: Sendable>: Action {
    let value: Value
    let store: Store<Notes>

    func run(_ notes: inout Notes) async -> (values: [Value], isNested: Bool) {
      async let one = later(value)
      async let other = $depth.withValue(depth + 1) { await later(value) }
      var values = await [one, other]
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await later(value) } }
        for await value in group { values.append(value) }
      }
      notes.count += 1
      let outcome = await withTaskCancellationHandler {
        await store.dispatch { $0.count += 1 }
      } onCancel: {
      }
      return (values, outcome.isDeferred)
    }
  }

  @TaskLocal private static var depth = 0

  @concurrent
  private static func later<Value: Sendable>(_ value: Value) async -> Value {
    await Task.yield()
    return value
  }

  /// How a call reaches the store.
  private enum Way: CaseIterable {
    case direct
    /// From generic code that the optimizer does not specialize.
    case generic
    case existential
    /// From an actor.
    case isolated

    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func dispatch<A: Action<Notes>>(_ action: A, _ store: Store<Notes>) async throws -> Outcome<A.Output>? {
      // Its size is known only at run time, and it stays in use during the call.
      let before = (action, [action])
      defer { withExtendedLifetime(before) {} }
      switch self {
      case .direct, .generic: return try await store.dispatch(action)
      case .isolated: return try await Caller().dispatch(action, store)
      case .existential:
        let outcome = try await store.dispatch(action as any Action<Notes>)
        return outcome.isCommitted ? try await store.dispatch(action) : nil
      }
    }
  }

  private actor Caller {
    func dispatch<A: Action<Notes>>(_ action: A, _ store: Store<Notes>) async throws(A.Failure) -> Outcome<A.Output> {
      try await store.dispatch(action)
    }
  }

  /// Dispatches a closure, a transaction, and an action with a result from the state.
  @_semantics("optimize.sil.specialize.generic.never")
  @inline(never)
  private static func closures<Value: Sendable>(_ value: Value, _ number: Int, _ store: Store<Notes>) async {
    let slow = try? await store.dispatch { (notes: inout Notes) async throws(Refused<Value>) -> [Value] in
      await Task.yield()
      if number % 2 == 1 { throw Refused(value: value, more: (1, 2, 3)) }
      return [value, value]
    }
    #expect(slow?.output?.count == (number % 2 == 1 ? nil : 2))
    let several = try? await store.transaction { draft async throws -> Int in
      try await draft.run(Demanding(value: value, number: 2)).count
        + draft.run(Demanding(value: value, number: number)).count
    }
    #expect(several?.output == (number % 2 == 1 ? nil : 2))
    let count = await store.dispatch(Branching(value: value, store: store), returning: { $0.count }).output
    #expect(count != nil)
  }

  @Test(arguments: [1, 8]) func everyShapeInEveryWay(tasks: Int) async {
    let store = Store(Notes())
    let rounds = 40
    await withTaskGroup { group in
      for _ in 0..<tasks { group.addTask { for number in 0..<rounds { await Self.round(number, store) } } }
    }
    // All deferred actions run before this one.
    let count = await store.dispatch { $0.count }.output
    // For odd numbers, the demands and the transactions throw, which discards their changes.
    #expect(count == tasks * rounds / 2 * (43 + 29))
  }

  private static func round(_ number: Int, _ store: Store<Notes>) async {
    for way in Way.allCases {
      await open(number, way, store)
      await demand(UInt8(number), number, way, store)
      await demand((number, "text", [number], 1.5), number, way, store)
      await branch(number, way, store)
      await branch(["a": [number]], way, store)
    }
    await closures(UInt8(number), number, store)
    await closures((number, "text", [number], 1.5), number, store)
    // Every turn that was pushed has been popped.
    #expect(CallChain.isEmptyHere)
  }

  private static func open(_ number: Int, _ way: Way, _ store: Store<Notes>) async {
    let action = Opening(number: number)
    if way == .direct {
      #expect(await store.dispatch(action).isCommitted)
    } else {
      #expect((try? await way.dispatch(action, store))?.isCommitted == true)
    }
  }

  private static func demand<Value: Sendable>(
    _ value: Value,
    _ number: Int,
    _ way: Way,
    _ store: Store<Notes>
  ) async {
    let action = Demanding(value: value, number: number)
    var values: [Value]?
    var refused: Int?
    do {
      values = try await way == .direct ? store.dispatch(action).output : way.dispatch(action, store)?.output
    } catch {
      refused = (error as? Refused<Value>)?.more.0
    }
    #expect(values?.count == (number % 2 == 0 ? 1 : nil))
    #expect(refused == [nil, 1, nil, 4][number % 4])
  }

  private static func branch<Value: Sendable>(_ value: Value, _ way: Way, _ store: Store<Notes>) async {
    let action = Branching(value: value, store: store)
    let output =
      way == .direct ? await store.dispatch(action).output : (try? await way.dispatch(action, store))?.output
    #expect(output?.values.count == 5)
    #expect(output?.isNested == true)
  }
}

extension Outcome {
  fileprivate var isDeferred: Bool {
    if case .deferred = self { true } else { false }
  }
}
