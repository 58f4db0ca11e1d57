import ActorStore
import Testing

/// Actions of every shape, called in every way, as the optimiser leaves them.
///
/// What an action is below is pushed into the memory of its task before it runs and popped after it. So nothing that the
/// compiler makes there in between may outlive the action: not what a generic caller or an opened existential needs,
/// whose size is known only at run time, nor what is kept beside an error. The runtime ends the program if something
/// does; and an action that was popped is below nothing again.
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

  /// Has children of its own, a task-local, and says what becomes of a dispatch below it.
  private struct Branching<Value: Sendable>: Action {
    let value: Value
    let store: Store<Notes>

    func run(_ notes: inout Notes) async -> (values: [Value], isBelow: Bool) {
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

  /// How a call reaches the store: by the type, through generic code, as an existential.
  private enum Way: CaseIterable {
    case direct
    case generic
    case existential

    @inline(never)
    static func generic<A: Action>(_ action: A, _ store: Store<A.State>) async throws(A.Failure) -> Outcome<A.Output> {
      try await store.dispatch(action)
    }

    @inline(never)
    static func existential(_ action: any Action<Notes>, _ store: Store<Notes>) async throws -> Bool {
      try await store.dispatch(action).isCommitted
    }
  }

  @Test(arguments: [1, 8]) func allOfThem(tasks: Int) async {
    let store = Store(Notes())
    let rounds = 40
    await withTaskGroup { group in
      for _ in 0..<tasks { group.addTask { for number in 0..<rounds { await Self.round(number, store) } } }
    }
  }

  private static func round(_ number: Int, _ store: Store<Notes>) async {
    for way in Way.allCases {
      await open(number, way, store)
      await demand(UInt8(number), number, way, store)
      await demand((number, "text", [number], 1.5), number, way, store)
      await branch(number, way, store)
      await branch(["a": [number]], way, store)
    }
    // Below nothing, whatever has been pushed and popped.
    let outcome = await store.dispatch { $0.count += 1 }
    #expect(outcome.isCommitted)
  }

  private static func open(_ number: Int, _ way: Way, _ store: Store<Notes>) async {
    let action = Opening(number: number)
    switch way {
    case .direct: #expect(await store.dispatch(action).isCommitted)
    case .generic: #expect(await Way.generic(action, store).isCommitted)
    case .existential: #expect((try? await Way.existential(action, store)) == true)
    }
  }

  private static func demand<Value: Sendable>(
    _ value: Value, _ number: Int, _ way: Way, _ store: Store<Notes>
  ) async {
    let action = Demanding(value: value, number: number)
    var isCommitted = false
    var refused: Int?
    do {
      switch way {
      case .direct: isCommitted = try await store.dispatch(action).isCommitted
      case .generic: isCommitted = try await Way.generic(action, store).isCommitted
      case .existential: isCommitted = try await Way.existential(action, store)
      }
    } catch {
      refused = (error as? Refused<Value>)?.more.0
    }
    #expect(isCommitted == (number % 4 == 0 || number % 4 == 2))
    #expect(refused == [nil, 1, nil, 4][number % 4])
  }

  private static func branch<Value: Sendable>(_ value: Value, _ way: Way, _ store: Store<Notes>) async {
    let action = Branching(value: value, store: store)
    switch way {
    case .direct:
      let output = await store.dispatch(action).output
      #expect(output?.values.count == 5)
      #expect(output?.isBelow == true)
    case .generic:
      #expect(await Way.generic(action, store).output?.isBelow == true)
    case .existential:
      #expect((try? await Way.existential(action, store)) == true)
    }
  }
}

extension Outcome {
  fileprivate var isDeferred: Bool {
    if case .deferred = self { true } else { false }
  }
}
