import ActorStore
import ActorStoreEvents
import Testing

@Suite struct RouterTests {
  private static func isVetoed(_ outcome: Outcome<Void>, _ reason: String) -> Bool {
    if case .vetoed(let veto) = outcome { veto.reason.contains(reason) } else { false }
  }

  @Test func e17_aRuleRedirectsAndContinues() async throws {
    let store = PageApp.makeStore()
    let outcome = await store.dispatch(.routes(.open(.todo(7))))
    #expect(Self.isVetoed(outcome, "redirected to login"))
    _ = try await store.select(\.routes.current).first { $0 == .login }
    #expect(await store.dispatch([.loggedIn, .routes(.resumed)]).isCommitted)
    _ = try await store.select(\.routes.current).first { $0 == .todo(7) }
    #expect(await store.state.routes.sheets.isEmpty)
  }

  @Test func e17_aRuleAsks() async throws {
    var app = PageApp()
    (app.isLoggedIn, app.hasChanges) = (true, true)
    app.routes.open(.edit(1))
    let store = PageApp.makeStore(app)
    #expect(Self.isVetoed(await store.dispatch(.routes(.pop)), "Discard the changes?"))
    let question = try await store.select(\.routes.question).first { $0 != nil }
    #expect(question?.text == "Discard the changes?")
    #expect(await store.dispatch(.routes(.answered(false))).isCommitted)
    #expect(await store.state.routes.current == .edit(1))
    await store.dispatch(.routes(.pop))
    _ = try await store.select(\.routes.question).first { $0 != nil }
    #expect(await store.dispatch(.routes(.answered(true))).isCommitted)
    #expect(await store.state.routes.current == .todo(1))
    #expect(Self.isVetoed(await store.dispatch(.routes(.answered(true))), "no question"))
  }

  /// A page that is only covered keeps its changes.
  @Test func e17_coveringAPageDoesNotLeaveIt() async {
    var app = PageApp()
    (app.isLoggedIn, app.hasChanges) = (true, true)
    app.routes.open(.edit(1))
    let store = PageApp.makeStore(app)
    for event: Routes<Page>.Event in [
      .setPath([.edit(1)]), .setPath([.todo(1), .edit(1)]), .push(.todo(2)), .pop, .present(.settings), .push(.login),
      .dismiss, .selectTab(.settings), .selectTab(.todos),
    ] {
      #expect(await store.dispatch(.routes(event)).isCommitted, "\(event)")
    }
    for event: Routes<Page>.Event in [
      .replace(.todos), .popToRoot, .setPath([.edit(2)]), .open(.todo(1)), .popTo(.todo(1)),
    ] {
      #expect(await !store.dispatch(.routes(event)).isCommitted, "\(event)")
    }
  }

  @Test func e17_anImpossibleEventIsRefused() async {
    let store = PageApp.makeStore()
    for event: Routes<Page>.Event in [
      .pop, .popTo(.login), .dismiss, .dismissSheet(1), .selectTab(.login), .setSheetPath(1, []), .continued,
    ] {
      #expect(await !store.dispatch(.routes(event)).isCommitted, "\(event)")
    }
    #expect(await store.dispatch(.routes(.popToRoot)).isCommitted)
  }

  /// Each event of an action is checked with the state after the earlier ones.
  @Test func e17_eventsOfOneActionAreCheckedInOrder() async throws {
    let store = PageApp.makeStore()
    #expect(await store.dispatch([.loggedIn, .routes(.open(.todo(1)))]).isCommitted)
    #expect(await !store.dispatch([.edited, .routes(.push(.edit(1))), .routes(.pop)]).isCommitted)
    #expect(await store.state.hasChanges == false)
    let outcome = try await store.transaction { transaction in
      try transaction.run(.routes(.push(.edit(2))))
      try transaction.run(.edited)
    }
    #expect(outcome.isCommitted)
    #expect(await store.state.routes.current == .edit(2))
  }

  /// When the router is attached, it sends the event that it could not send before.
  @Test func e17_aRouterIsAttachedLate() async throws {
    let router = PageApp.makeRouter()
    let store = Store(PageApp(), guards: [router.makeGuard()])
    await store.dispatch(.routes(.open(.todo(7))))
    router.attach(to: store)
    _ = try await store.select(\.routes.current).first { $0 == .login }
  }

  @Test func e17_aRouterHasOneStore() async {
    await #expect(processExitsWith: .failure) {
      let router = PageApp.makeRouter()
      let store = Store(PageApp(), guards: [router.makeGuard()])
      router.attach(to: store)
      router.attach(to: store)
    }
  }

  @Test func e17_theRouterDoesNotRetainTheStore() async {
    weak var weakStore: Store<PageApp>?
    do {
      let store = PageApp.makeStore()
      await store.dispatch(.routes(.open(.todo(7))))
      weakStore = store
    }
    while weakStore != nil { await Task.yield() }
  }

  // MARK: Several rules and events

  /// A login must not be lost if no event waits for it.
  @Test func e17_aLoginWithoutARedirectionIsCommitted() async {
    let store = PageApp.makeStore()
    #expect(await store.dispatch([.loggedIn, .routes(.resumed)]).isCommitted)
    #expect(await store.state.isLoggedIn)
  }

  private static func makeStore(_ app: PageApp, _ rules: [RouteRule<PageApp, Page>]) -> Store<PageApp> {
    let router = Router(PageApp.routes.child, rules: rules) { .routes($0) }
    let store = Store(app, guards: [router.makeGuard()])
    router.attach(to: store)
    return store
  }

  /// One redirection can lead to another one, and leaves no sheet behind.
  @Test func e17_redirectionsFollowEachOther() async throws {
    let terms = RouteRule<PageApp, Page> { navigation, app in
      app.hasChanges || navigation.target == .login ? .allow : .redirect(to: .settings)
    }
    let store = Self.makeStore(PageApp(), [PageApp.login, terms])
    await store.dispatch(.routes(.push(.todo(1))))
    _ = try await store.select(\.routes.current).first { $0 == .login }
    #expect(await store.dispatch([.loggedIn, .routes(.resumed)]).isCommitted)
    _ = try await store.select(\.routes.current).first { $0 == .settings }
    #expect(await store.dispatch([.edited, .routes(.resumed)]).isCommitted)
    _ = try await store.select(\.routes.current).first { $0 == .todo(1) }
    #expect(await store.state.routes.sheets.isEmpty)
  }

  /// A question must not be asked again after the user has agreed to it.
  @Test func e17_questionsFollowEachOther() async throws {
    let sure = RouteRule<PageApp, Page> { navigation, _ in
      navigation.event == .pop ? .ask("Really leave?") : .allow
    }
    var app = PageApp(hasChanges: true)
    app.routes.open(.edit(1))
    let store = Self.makeStore(app, [PageApp.unsaved, sure, PageApp.login])
    await store.dispatch(.routes(.pop))
    for text in ["Discard the changes?", "Really leave?"] {
      _ = try await store.select(\.routes.question).first { $0?.text == text }
      await store.dispatch(.routes(.answered(true)))
    }
    // The page below needs a login.
    _ = try await store.select(\.routes.current).first { $0 == .login }
    #expect(await store.dispatch([.loggedIn, .routes(.resumed)]).isCommitted)
    _ = try await store.select(\.routes.question).first { $0?.text == "Discard the changes?" }
    #expect(await store.state.routes.sheets.isEmpty)
  }

  /// A part of a refused action must not happen without the rest.
  @Test func e17_aRefusedArrayIsNotContinued() async throws {
    var app = PageApp(isLoggedIn: true)
    app.routes.open(.edit(1))
    let store = PageApp.makeStore(app)
    #expect(await !store.dispatch([.edited, .routes(.pop)]).isCommitted)
    _ = try? await store.transaction { transaction in
      try transaction.run(.edited)
      try transaction.run(.routes(.pop))
    }
    try await store.closeAndDrain()
    #expect(await store.state.routes.current == .edit(1))
    #expect(await store.state.hasChanges == false)
    #expect(await store.state.routes.question == nil)
  }

  /// The answer must not act on another page.
  @Test func e17_anotherChangeWithdrawsAQuestion() async throws {
    var app = PageApp(isLoggedIn: true, hasChanges: true)
    app.routes.open(.edit(1))
    let store = PageApp.makeStore(app)
    await store.dispatch(.routes(.pop))
    _ = try await store.select(\.routes.question).first { $0 != nil }
    await store.dispatch(.routes(.push(.todo(5))))
    #expect(await !store.dispatch(.routes(.answered(true))).isCommitted)
    #expect(await store.state.routes.current == .todo(5))
  }

  /// Swiping the login away must not become the event for which it waits.
  @Test func e17_leavingTheLoginKeepsTheEvent() async throws {
    var app = PageApp()
    app.routes.push(.todo(1))
    let store = PageApp.makeStore(app)
    await store.dispatch(.routes(.push(.todo(2))))
    _ = try await store.select(\.routes.current).first { $0 == .login }
    #expect(await !store.dispatch(.routes(.dismiss)).isCommitted)
    #expect(await store.dispatch(.routes(.push(.login))).isCommitted)
    let sheet = await store.state.routes.sheets[0].id
    #expect(await !store.dispatch(.routes(.setSheetPath(sheet, [.todo(9)]))).isCommitted)
    #expect(await store.dispatch([.loggedIn, .routes(.resumed)]).isCommitted)
    _ = try await store.select(\.routes.current).first { $0 == .todo(2) }
    #expect(await store.state.routes.sheets.isEmpty)
  }

  private struct Optional: EventDriven {
    enum Event: Sendable { case routes(Routes<Page>.Event) }

    static let routes = Forwarding(to: \Optional.routes, missing: .created) { (event: Event) in
      if case .routes(let event) = event { event } else { nil }
    }

    var routes: Routes<Page>?

    mutating func react(to event: Event) { Self.routes.forward(event, to: &self) }
  }

  /// Rules apply to routes that the event creates.
  @Test func e17_missingRoutesHaveRules() async {
    let rule = RouteRule<Optional, Page> { _, _ in .refuse("closed") }
    let router = Router(Optional.routes.child, rules: [rule]) { .routes($0) }
    let store = Store(Optional(), guards: [router.makeGuard()])
    router.attach(to: store)
    #expect(await !store.dispatch(.routes(.push(.todo(1)))).isCommitted)
  }
}
