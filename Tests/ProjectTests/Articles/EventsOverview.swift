import ActorStore
import ActorStoreEvents
import ActorStoreEventsTesting
import ActorStoreTesting
import Testing

// The code of the overviews of ActorStoreEvents and ActorStoreEventsTesting.

@Suite struct EventsOverviewTests {
  struct TodoApp: EventDriven, Equatable {
    enum Event: Sendable, Equatable {
      case added(String)
      case todo(Int, Todo.Event)
    }

    static let todo = Forwarding(to: \TodoApp.todos) { event in
      if case .todo(let id, let event) = event { .one(id, event) } else { nil }
    }

    var todos: IdentifiedArray<Todo> = []

    mutating func react(to event: Event) {
      switch event {
      case .added(let name): todos.append(Todo(id: todos.count, name: name))
      case .todo: Self.todo.forward(event, to: &self)
      }
    }
  }

  struct Todo: EventDriven, Identifiable, Equatable {
    enum Event: Sendable, Equatable { case toggled }

    var id = 0
    var name = ""
    var isDone = false

    mutating func react(to event: Event) { isDone.toggle() }
  }

  @Test func emitting() async {
    let store = Store(TodoApp())
    await store.dispatch(.added("milk"))
    store.send(.todo(0, .toggled))
    #expect(await store.state.todos == [Todo(id: 0, name: "milk", isDone: true)])
  }

  @Test func toggling() async throws {
    let store = TestStore(TodoApp())
    await store.dispatch(.added("milk")) { $0.todos = [Todo(id: 0, name: "milk")] }
    await store.dispatch(.todo(0, .toggled)) { $0.todos[0].isDone = true }
    try await store.finish()
  }
}
