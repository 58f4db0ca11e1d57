import ActorStore
import ActorStoreEvents
import Synchronization
import Testing

@Suite struct EmitTests {
  @Test func e1_eventsChangeTheStateInCallOrder() async {
    let store = Store(TodoApp())
    await store.dispatch(.added("milk"))
    store.send(.added("eggs"))
    await store.dispatch([.added("tea"), .todo(1, .toggled)])
    store.send([.todo(0, .renamed("oat milk")), .todo(2, .toggled)])
    #expect(
      await store.state.todos == [
        Todo(id: 0, name: "oat milk"), Todo(id: 1, name: "eggs", isDone: true), Todo(id: 2, name: "tea", isDone: true),
      ])
    #expect(store.diagnostics.revision == 4)
  }

  /// The default implementation ignores all events.
  @Test func e1_aStateWithoutAReactionIgnoresEvents() async {
    struct Silent: EventDriven, Equatable { typealias Event = String }
    let store = Store(Silent())
    #expect(await store.dispatch("anything").isCommitted)
    #expect(await store.state == Silent())
  }

  @Test func e1_aRefusedEventChangesNothing() async throws {
    let store = Store(Account())
    try await store.dispatch(.deposited(5))
    await #expect(throws: Account.Overdrawn(amount: 2)) { try await store.dispatch(.withdrew(7)) }
    await #expect(throws: Account.Overdrawn(amount: 1)) { try await store.dispatch([.withdrew(5), .withdrew(1)]) }
    #expect(await store.state == Account(balance: 5))
  }

  @Test func e2_aTransactionCommitsSeveralEventsTogether() async throws {
    let store = Store(TodoApp())
    let outcome = try await store.transaction { transaction in
      try transaction.run(.added("milk"))
      try transaction.run(.todo(0, .toggled))
    }
    #expect(outcome.isCommitted)
    #expect(store.diagnostics.revision == 1)
    #expect(await store.state.todos == [Todo(id: 0, name: "milk", isDone: true)])
  }

  /// Middleware that may suspend also wraps the members of a transaction that may suspend.
  @Test func e2_aTransactionThatSuspendsEmitsEvents() async throws {
    struct Pass: Middleware {
      typealias State = TodoApp

      func run<A: Action<TodoApp>>(
        _ action: A, on state: inout TodoApp, next: inout Next<A>
      ) async throws(Stop<A.Failure>) -> A.Output {
        try await next(action, &state)
      }
    }
    let store = Store(TodoApp(), middleware: [Pass()])
    let outcome = try await store.transaction { transaction in
      await Task.yield()
      try await transaction.run(.added("milk"))
      try await transaction.run(.todo(0, .toggled))
    }
    #expect(outcome.isCommitted)
    #expect(await store.state.todos == [Todo(id: 0, name: "milk", isDone: true)])
  }

  @Test func e1_aGroupEmitsEventsOverTime() async {
    struct Import: ActionGroup {
      func run(with store: Store<TodoApp>) async {
        for name in ["a", "b"] { await store.dispatch(.added(name)) }
      }
    }
    let store = Store(TodoApp())
    await store.dispatch(Import())
    #expect(await store.state.todos.map(\.name) == ["a", "b"])
  }

  /// The payload of an event may contain a secret, so a log shows it only on request.
  @Test(arguments: [false, true]) func e1_logsShowTheEventAndTheTree(showsPayloads: Bool) async {
    let lines = Mutex<[String]>([])
    let sink = LogSink { record in lines.withLock { $0.append(record.text(.tree)) } }
    let logger = ActionLogger<TodoApp>(
      to: sink, showsPayloads: showsPayloads, differenceLines: 0, treeLines: 20, clock: nil)
    let store = Store(TodoApp(), guards: [logger], name: "app")
    await store.dispatch(.added("milk"))
    let tree = Dump.text(of: await store.state, style: .outline)
    let event = showsPayloads ? #".added("milk")"# : ".added"
    #expect(lines.withLock { $0 } == ["app: \(event) committed as revision 1, ticket 1, 0 ahead\n\(tree)"])
  }

  @Test func e1_theDescriptionOfAnActionIsItsEvent() {
    #expect("\(Emit<TodoApp>(.added("milk")))" == #"added("milk")"#)
    #expect("\(EmitAll<TodoApp>([.added("milk"), .todo(0, .toggled)]))".hasPrefix("["))
  }
}
