import ActorStore
import ActorStoreEvents
import Testing

@Suite struct EventsOnlyTests {
  private struct Undo: TimeMove, Mutation {
    func run(_ state: inout TodoApp) { state = TodoApp() }
  }

  @Test func e3_onlyEventsAndMovesInTimeChangeTheState() async {
    let store = Store(TodoApp(), guards: [EventsOnly()])
    await store.dispatch(.added("milk"))
    let refused = await store.dispatch { $0.todos = [] }
    guard case .vetoed(let veto) = refused else {
      Issue.record("the closure was not refused: \(refused)")
      return
    }
    #expect(veto.reason == "Only events change TodoApp. Dispatch an event instead of closure.")
    #expect(await store.state.todos.count == 1)
    #expect(await store.dispatch(Undo()).isCommitted)
    #expect(await store.state == TodoApp())
  }

  @Test func e3_aTransactionMayContainOnlyEvents() async throws {
    let store = Store(TodoApp(), guards: [EventsOnly()])
    let allowed = try await store.transaction { try $0.run(.added("milk")) }
    #expect(allowed.isCommitted)
    let refused = try await store.transaction { transaction in
      try transaction.run(.added("eggs"))
      try transaction.run { $0.todos = [] }
    }
    #expect(!refused.isCommitted)
    #expect(await store.state.todos.map(\.name) == ["milk"])
  }
}
