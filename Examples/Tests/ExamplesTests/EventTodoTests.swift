import ActorStore
import ActorStoreEvents
import Testing

@testable import EventTodo

@Suite struct EventTodoTests {
  private let printer = Printer()

  private func run(_ lines: AsyncStream<String>) async -> TodoApp {
    let store = Store(TodoApp(), guards: [EventsOnly()])
    await AppStore.withStore(store) { await EventTodo.run(lines, print: printer.print) }
    return await store.state
  }

  @Test func eventsChangeTheList() async {
    let state = await run(script("add Milk", "add Tea", "toggle 2", "remove 1", "quit", "add more"))
    #expect(state.todos == [Todo(id: 2, title: "Tea", isDone: true)])
    #expect(printer.all.count == 4)
    #expect(printer.all[2].hasPrefix("todo(2, "))
  }

  @Test func badInputChangesNothing() async {
    let state = await run(script("add", "toggle 7", "remove x", "fly", "", "remove 9223372036854775807"))
    #expect(state == TodoApp())
    let help = "is not a command. Commands: add TITLE, toggle NUMBER, remove NUMBER, quit"
    #expect(
      printer.all == [
        "An item needs a title.", "There is no item 7.", "\"remove x\" \(help)", "\"fly\" \(help)",
        "There is no item 9223372036854775807.",
      ])
  }
}
