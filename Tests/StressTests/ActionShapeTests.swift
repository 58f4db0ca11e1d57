import Testing

@testable import ActorStore

/// Actions of every shape, called in every way, as the optimiser leaves them.
///
/// The turn that an action is nested in is pushed into the memory of its task before it runs and popped after it. So
/// nothing that the compiler makes there in between may outlive the action: not what a generic caller or an opened
/// existential needs, whose size is known only at run time, nor what is kept beside an error. The runtime ends the
/// program if something does; and a task whose turn was popped is nested in nothing again.
@Suite struct ActionShapeTests {
  private struct Notes: Sendable {
    var count = 0
    var last = ""
  }

  /// Of different sizes, told apart at run time only.
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

  /// Opens what it gets, before and after it suspends.
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

  /// Its output and its error are of any size; suspends only sometimes, and fails before that or after it.
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

  /// Has children of its own, a task-local, and returns the outcome of a dispatch nested in it.
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
    /// From code that is generic as it runs: the optimiser makes no copies of it for the types it is called with.
    case generic
    case existential
    /// By a caller on an actor.
    case isolated

    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func dispatch<A: Action<Notes>>(_ action: A, _ store: Store<Notes>) async throws -> Outcome<A.Output>? {
      // Of a size known only at run time, and in use before and after.
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

  /// What is dispatched as closures, in a transaction and for a value of the state.
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

  @Test(arguments: [1, 8]) func allOfThem(tasks: Int) async {
    let store = Store(Notes())
    let rounds = 40
    await withTaskGroup { group in
      for _ in 0..<tasks { group.addTask { for number in 0..<rounds { await Self.round(number, store) } } }
    }
    // What was deferred has had its turn before this.
    let count = await store.dispatch { $0.count }.output
    // Of every two numbers one is refused what it demands, and its transactions undo what they have done.
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
    // Whatever has been pushed was popped.
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
