public import ActorStore
import Synchronization

/// Applies rules to the navigation in a store.
///
/// ```swift
/// let router = Router(App.routes.child, rules: [login, unsaved]) { .routes($0) }
/// let store = Store(App(), guards: [router.makeGuard()])
/// router.attach(to: store)
///
/// await store.dispatch(.routes(.open(.todo(7))))  // .vetoed, and the login appears
/// await store.dispatch([.loggedIn, .routes(.resumed)])  // shows the todo
/// ```
///
/// The router refuses an event that a rule does not allow. Its caller gets `.vetoed`. Then the router sends the event
/// that the rule asks for: a redirection or a question. That event has its own turn, in which the rules decide again. So
/// if the login ends in between, the router sends the redirected event instead of showing the login.
///
/// The router also refuses an event that would have no effect, such as popping a root.
///
/// The rules apply to the events of the routes. Other actions can change the routes without them. To refuse such
/// actions, add ``EventsOnly``.
public final class Router<State: EventDriven, Route: Routable>: Sendable {
  private struct Link: Sendable {
    weak var store: Store<State>?
    /// The events that were sent before there was a store.
    var waiting: [State.Event] = []
    var isAttached = false
  }

  private let check: NavigationCheck<State, Route>
  private let event: @Sendable (Routes<Route>.Event) -> State.Event
  private let link = Mutex(Link())

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - routes: The place of the routes in the state, from the rule that forwards their events.
  ///   - rules: The rules, of which the first that does not allow a navigation counts.
  ///   - event: A closure that returns the state's event for one of the routes.
  public init(
    _ routes: EventScope<State, Routes<Route>>,
    rules: [RouteRule<State, Route>],
    event: @escaping @Sendable (Routes<Route>.Event) -> State.Event
  ) {
    check = NavigationCheck(scope: routes, rules: rules)
    self.event = event
  }

  /// Returns the guard that applies the rules, for the initializer of one store.
  public func makeGuard() -> some Guard<State> { RouterGuard(router: self) }

  /// Sets the store to which the router sends redirections and questions.
  ///
  /// Call it once, after you have created the store with the router's guard. The router does not retain the store. It
  /// sends events that came before the call now.
  ///
  /// - Parameter store: The store with the router's guard.
  public func attach(to store: Store<State>) {
    let (waiting, isFirst) = link.withLock { link in
      defer { link = Link(store: store, isAttached: true) }
      return (link.waiting, !link.isAttached)
    }
    precondition(
      isFirst, "ActorStoreEvents: the router is attached to a second store. Create a router for each store.")
    for event in waiting { store.send(event) }
  }

  fileprivate func veto(_ events: [State.Event], _ state: State) -> Veto? {
    guard case .refuse(let reason, let next) = check.check(events, state) else { return nil }
    if let next { send(event(next)) }
    return Veto(reason, by: Router.self)
  }

  private func send(_ event: State.Event) {
    let store = link.withLock { link in
      if !link.isAttached { link.waiting.append(event) }
      return link.store
    }
    store?.send(event)
  }
}

private struct RouterGuard<State: EventDriven, Route: Routable>: Guard {
  let router: Router<State, Route>

  func veto<A: Action<State>>(_ action: A, state: State) -> Veto? {
    if let one = action as? Emit<State> { return router.veto([one.event], state) }
    if let several = action as? EmitAll<State> { return router.veto(several.events, state) }
    return nil
  }
}
