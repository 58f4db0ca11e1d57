import ActorStore
import ActorStoreEvents

/// The state of the app: the items, and the screens that are open.
///
/// Only events and moves in time change it. Because the screens are part of the state, a move also restores the screen.
struct TodoApp: EventDriven, Equatable {
  enum Event: Sendable {
    case added(String)
    case todo(Int, Todo.Event)
    case removed(Int)
    case opened(Int)
    case closed
  }

  enum Refusal: Error, Equatable, CustomStringConvertible {
    case noTitle
    case noItem(Int)
    case nothingToClose

    var description: String {
      switch self {
      case .noTitle: "An item needs a title."
      case .noItem(let id): "There is no item \(id)."
      case .nothingToClose: "There is nothing to close."
      }
    }
  }

  static let todo = Forwarding(to: \TodoApp.todos, missing: .refused { .noItem($0) }) { event in
    if case .todo(let id, let event) = event { .one(id, event) } else { nil }
  }

  var todos: IdentifiedArray<Todo> = []
  var routes = Routes<TodoRoute>()

  mutating func react(to event: Event) throws(Refusal) {
    switch event {
    case .added(let title):
      if title.isEmpty { throw .noTitle }
      todos.append(Todo(id: (todos.last?.id ?? 0) + 1, title: title))
    case .todo: try Self.todo.forward(event, to: &self)
    case .removed(let id):
      if todos.remove(id: id) == nil { throw .noItem(id) }
      if routes.current == .item(id) { routes.pop() }
    case .opened(let id):
      if todos[id: id] == nil { throw .noItem(id) }
      routes.open(.item(id))
    case .closed: if routes.pop() == nil { throw .nothingToClose }
    }
  }
}

/// Describes an event as the command that the user entered, so that the history shows it in the same way.
extension TodoApp.Event: CustomStringConvertible {
  var description: String {
    switch self {
    case .added(let title): "add \(title)"
    case .todo(let id, .toggled): "toggle \(id)"
    case .removed(let id): "remove \(id)"
    case .opened(let id): "open \(id)"
    case .closed: "close"
    }
  }
}
