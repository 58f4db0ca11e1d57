import ActorStore
import ActorStoreEvents

/// The content of the screen, derived from the state.
struct ScreenProps: Equatable, Sendable {
  /// Computes the props from the current route and the items.
  static let transformer = Selection(\TodoApp.routes.current, \.todos) { ScreenProps($0, $1) }

  var title = ""
  var lines: [String] = []
}

extension ScreenProps {
  /// Creates the props for a state, so that the session can wait for them.
  init(_ app: TodoApp) { self.init(app.routes.current, app.todos) }

  private init(_ route: TodoRoute, _ todos: IdentifiedArray<Todo>) {
    switch route {
    case .list:
      title = "List, \(todos.count { !$0.isDone }) open"
      lines = todos.map { "\($0.id). [\($0.isDone ? "x" : " ")] \($0.title)" }
    case .item(let id):
      title = "Item \(id), \(todos[id: id]?.isDone == true ? "done" : "open")"
      lines = todos[id: id].map { [$0.title] } ?? []
    }
  }
}
