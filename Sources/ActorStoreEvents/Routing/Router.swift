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
/// The router refuses an event that a rule does not allow, and the event's caller gets `.vetoed`. If the rule redirects
/// or asks, the router then sends an event that presents the other route or the question. This event has its own turn,
/// in which the rules decide again. So if the user logs in before that turn, the router sends the original event again
/// instead of presenting the login.
///
/// Rules cannot refuse ``Routes/Event/resumed``, which dismisses the sheet. Then the router sends the redirected event
/// again, and the rules decide about it.
///
/// If a rule does not allow one event of an array, the router refuses the whole array and sends nothing. It redirects a
/// member of a transaction without the other members, so do not navigate in transactions.
///
/// The router also refuses an event that is impossible, such as popping a root. If an event creates missing routes, the
/// rules see those of `init()` as the old ones.
///
/// The rules apply only to events of the routes. To refuse other actions, which can change the routes without asking
/// the rules, add ``EventsOnly``.
public final class Router<State: EventDriven, Route: Routable>: Sendable {
  private struct Link: Sendable {
    weak var store: Store<State>?
    /// The newest event that the router could not send, because no store was attached.
    var waiting: State.Event?
    var isAttached = false
  }

  private let check: NavigationCheck<State, Route>
  private let event: @Sendable (Routes<Route>.Event) -> State.Event
  private let link = Mutex(Link())

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - routes: The place of the routes in the state, from the ``Forwarding`` of their events.
  ///   - rules: The rules, in order. The first rule that does not allow a navigation decides about it.
  ///   - event: A closure that wraps an event of the routes in an event of the state.
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
  /// Call it once, immediately after you have created the store with the router's guard. The router does not retain the
  /// store. If the router could not send events before the call, it sends the newest of them now.
  ///
  /// - Parameter store: The store with the router's guard.
  public func attach(to store: Store<State>) {
    let (waiting, isFirst) = link.withLock { link in
      defer { link = Link(store: store, isAttached: true) }
      return (link.waiting, !link.isAttached)
    }
    if !isFirst {
      fatalError(
        "ActorStoreEvents: the router is already attached to a store. Attach it once. Create a router for each store.")
    }
    if let waiting { store.send(waiting) }
  }

  fileprivate func veto(_ events: [State.Event], _ state: State) -> Veto? {
    switch check.check(events, state) {
    case .allow(let next):
      if let next { send(event(next)) }
      return nil
    case .refuse(let reason, let next):
      if let next { send(event(next)) }
      return Veto(reason, by: Router.self)
    }
  }

  private func send(_ event: State.Event) {
    // The former event is released without the lock.
    let (store, former) = link.withLock { link in
      let former = link.waiting
      if !link.isAttached { link.waiting = event }
      return (link.store, former)
    }
    withExtendedLifetime(former) { _ = store?.send(event) }
  }
}

private struct RouterGuard<State: EventDriven, Route: Routable>: Guard {
  let router: Router<State, Route>

  func veto<A: Action<State>>(_ action: A, state: State) -> Veto? {
    action.emittedEvents.flatMap { router.veto($0, state) }
  }
}
