import ActorStore
import ActorStoreEvents

// The app of the article "Navigating by State".

enum Place: Routable {
  static let tabs: [Place] = [.list, .settings]

  static let links = DeepLinks<Place>(
    origins: ["https://planner.example", "planner:/"],
    LinkPattern("/todos", .list),
    LinkPattern("/todos/:number", route: Place.detail) { if case .detail(let number) = $0 { number } else { nil } },
    LinkPattern("/settings", .settings))

  case list, detail(Int), settings, login

  var parent: Place? { if case .detail = self { .list } else { nil } }
}

struct Planner: EventDriven, Equatable {
  enum Event: Sendable { case routes(Routes<Place>.Event), added(String), loggedIn(String) }

  static let routes = Forwarding(to: \Planner.routes) { event in
    if case .routes(let event) = event { event } else { nil }
  }

  var routes = Routes<Place>()
  var user: String?
  var todos: [String] = []

  mutating func react(to event: Event) {
    switch event {
    case .routes: Self.routes.forward(event, to: &self)
    case .added(let todo): todos.append(todo)
    case .loggedIn(let user): self.user = user
    }
  }

  /// The page to show, as text.
  var page: String { page(at: routes.current) }

  func page(at place: Place) -> String {
    switch place {
    case .list: "todos: " + todos.joined(separator: ", ")
    case .detail(let number): todos.indices.contains(number) ? "todo: \(todos[number])" : "no todo \(number)"
    case .settings: "settings of \(user ?? "a guest")"
    case .login: "Who are you?"
    }
  }
}

extension Planner {
  /// Pages other than the list need a login.
  static let login = RouteRule<Planner, Place> { navigation, planner in
    planner.user != nil || navigation.target == .list ? .allow : .redirect(to: .login)
  }

  static func makeStore(_ planner: Planner = Planner()) -> Store<Planner> {
    let router = Router(routes.child, rules: [login]) { .routes($0) }
    let store = Store(planner, guards: [router.makeGuard(), EventsOnly()])
    router.attach(to: store)
    return store
  }
}

/// An app shell in a terminal, which shows the current page and obeys commands.
actor PlannerShell: ActorComponent {
  var props = ""
  var connection: Connection?
  private let store: Store<Planner>
  private let write: @Sendable (String) -> Void

  init(_ store: Store<Planner>, write: @escaping @Sendable (String) -> Void = { print($0) }) {
    (self.store, self.write) = (store, write)
  }

  func render() { write(props) }

  func obey(_ command: String) async {
    let words = command.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.last) {
    case ("open", let link?):
      do throws(LinkError) { await store.dispatch(.routes(.open(try Place.links.route(for: link)))) } catch {
        write("\(error)")
      }
    case ("login", let user?): await store.dispatch([.loggedIn(user), .routes(.resumed)])
    case ("add", let todo?): await store.dispatch(.added(todo))
    case ("back", _): if case .vetoed(let veto) = await store.dispatch(.routes(.pop)) { write(veto.reason) }
    default: write("What?")
    }
  }
}
