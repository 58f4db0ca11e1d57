import ActorStore
import ActorStoreEvents

/// The state of the app, which only events change.
struct TodoApp: EventDriven, Equatable {
  enum Event: Sendable {
    case added(String)
    case todo(Int, Todo.Event)
    case removed(Int)
  }

  enum Refusal: Error, Equatable, CustomStringConvertible {
    case noTitle
    case noItem(Int)

    var description: String {
      switch self {
      case .noTitle: "An item needs a title."
      case .noItem(let id): "There is no item \(id)."
      }
    }
  }

  static let todo = Forwarding(to: \TodoApp.todos, missing: .refused { .noItem($0) }) { event in
    if case .todo(let id, let event) = event { .one(id, event) } else { nil }
  }

  var todos: IdentifiedArray<Todo> = []

  mutating func react(to event: Event) throws(Refusal) {
    switch event {
    case .added(let title):
      if title.isEmpty { throw .noTitle }
      todos.append(Todo(id: (todos.last?.id ?? 0) + 1, title: title))
    case .todo: try Self.todo.forward(event, to: &self)
    case .removed(let id): if todos.remove(id: id) == nil { throw .noItem(id) }
    }
  }
}

/// One item.
struct Todo: EventDriven, Equatable, Identifiable {
  enum Event: Sendable { case toggled }

  var id = 0
  var title = ""
  var isDone = false

  mutating func react(to event: Event) { isDone.toggle() }
}
