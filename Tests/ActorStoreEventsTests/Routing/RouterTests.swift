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
    #expect(await store.dispatch(.routes(.resumed)).isCommitted == false)
    #expect(await store.dispatch([.loggedIn, .routes(.resumed)]).isCommitted)
    #expect(await store.state.routes.current == .todo(7))
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

  @Test func e17_anEventWithoutEffectIsRefused() async {
    let store = PageApp.makeStore()
    for event: Routes<Page>.Event in [.pop, .popTo(.login), .dismiss, .selectTab(.login), .resumed] {
      #expect(await !store.dispatch(.routes(event)).isCommitted, "\(event)")
    }
    #expect(await store.dispatch(.routes(.popToRoot)).isCommitted)
  }

  /// Each event of an action is checked with the state that the earlier ones leave behind.
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

  /// The router sends what it could not send before.
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
}
