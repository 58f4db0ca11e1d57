import ActorStore
import ActorStoreEvents

/// The pages of an app with a login.
enum Page: Routable, Codable {
  static let tabs: [Page] = [.todos, .settings]

  case todos, todo(Int), edit(Int), settings, login
  case search(String, page: Int?)
  case archive(year: Int?, month: Int?)

  var parent: Page? {
    switch self {
    case .todo, .search: .todos
    case .edit(let id): .todo(id)
    case .todos, .settings, .login, .archive: nil
    }
  }

  static let links = DeepLinks<Page>(
    origins: ["https://todo.example", "todo:/"],
    LinkPattern("/todos", .todos),
    LinkPattern("/todos/:id", route: Page.todo) { if case .todo(let id) = $0 { id } else { nil } },
    LinkPattern("/todos/:id/edit", route: Page.edit) { if case .edit(let id) = $0 { id } else { nil } },
    LinkPattern("/settings", .settings),
    LinkPattern("/search?text&page", route: Page.search) {
      if case .search(let text, let page) = $0 { (text, page) } else { nil }
    },
    LinkPattern("/archive(/:year(/:month))", route: Page.archive) {
      if case .archive(let year, let month) = $0 { (year, month) } else { nil }
    })
}

/// An app whose pages need a login, and whose editor asks before it loses changes.
struct PageApp: EventDriven, Equatable {
  enum Event: Sendable, Equatable { case routes(Routes<Page>.Event), loggedIn, edited, saved }

  static let routes = Forwarding(to: \PageApp.routes) { event in
    if case .routes(let event) = event { event } else { nil }
  }

  static let login = RouteRule<PageApp, Page> { navigation, app in
    if app.isLoggedIn { return .allow }
    return switch navigation.target {
    case .todos, .settings, .login: .allow
    default: .redirect(to: .login)
    }
  }

  static let unsaved = RouteRule<PageApp, Page> { navigation, app in
    let isEditorLeft = navigation.removed.contains { if case .edit = $0 { true } else { false } }
    return app.hasChanges && isEditorLeft ? .ask("Discard the changes?") : .allow
  }

  static func makeRouter() -> Router<PageApp, Page> {
    Router(routes.child, rules: [login, unsaved]) { .routes($0) }
  }

  static func makeStore(_ app: PageApp = PageApp()) -> Store<PageApp> {
    let router = makeRouter()
    let store = Store(app, guards: [router.makeGuard()])
    router.attach(to: store)
    return store
  }

  var routes = Routes<Page>()
  var isLoggedIn = false
  var hasChanges = false

  mutating func react(to event: Event) {
    switch event {
    case .routes: Self.routes.forward(event, to: &self)
    case .loggedIn: isLoggedIn = true
    case .edited: hasChanges = true
    case .saved: hasChanges = false
    }
  }
}
