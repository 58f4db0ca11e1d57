import ActorStore
import ActorStoreEvents
import ActorStoreHistory
import Testing

@testable import EventTodo

@Suite struct TimeMachineTests {
  @Test func aMoveInTimeMovesItemsAndRoutes() async throws {
    let machine = TimeMachine()
    try await machine.store.dispatch(.added("Milk"))
    try await machine.store.dispatch(.opened(1))
    let opened = await machine.store.state
    #expect(opened.routes.current == .item(1) && opened.todos == [Todo(id: 1, title: "Milk")])
    await machine.store.dispatch(machine.history.undo())
    await machine.store.dispatch(machine.history.undo())
    #expect(await machine.store.state == TodoApp())
    try await machine.store.dispatch(machine.history.jump(to: 2))
    #expect(await machine.store.state == opened)
  }

  @Test func onlyEventsAndMovesInTimeChangeTheState() async throws {
    let machine = TimeMachine()
    try await machine.store.dispatch(.added("Milk"))
    let outcome = await machine.store.dispatch { $0.todos = [] }
    #expect(!outcome.isCommitted)
    #expect(await machine.store.dispatch(machine.history.undo()).isCommitted)
    #expect(await machine.store.state == TodoApp())
  }
}
