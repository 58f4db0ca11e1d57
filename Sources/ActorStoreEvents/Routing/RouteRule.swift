/// A rule that decides about each navigation.
///
/// ```swift
/// let login = RouteRule<App, Page> { navigation, app in
///   app.isLoggedIn || !navigation.target.isPrivate ? .allow : .redirect(to: .login)
/// }
/// let unsaved = RouteRule<App, Page> { navigation, app in
///   app.hasChanges && navigation.removed.contains(.editor) ? .ask("Discard the changes?") : .allow
/// }
/// ```
public struct RouteRule<State: Sendable, Route: Routable>: Sendable {
  /// The decision about a navigation.
  public enum Decision: Hashable, Sendable {
    /// The navigation takes place, unless another rule prevents it.
    case allow
    /// The navigation does not take place. The route is presented instead, and ``Routes/Event/resumed`` continues with
    /// the navigation. Rules do not apply to presenting the route. If the navigation already leads to the route, the
    /// redirection has no effect.
    case redirect(to: Route)
    /// The navigation does not take place until the user agrees. The text identifies the question.
    case ask(String)
    /// The navigation does not take place, for a reason.
    case refuse(String)
  }

  let decide: @Sendable (Navigation<Route>, State) -> Decision

  /// Creates a rule.
  ///
  /// - Parameter decide: A closure that decides about a navigation, given the state before it. It is called in the turn of
  ///   the action, so keep it short.
  public init(_ decide: @escaping @Sendable (_ navigation: Navigation<Route>, _ state: State) -> Decision) {
    self.decide = decide
  }
}

/// A change of the routes that is about to take place.
public struct Navigation<Route: Routable>: Hashable, Sendable {
  /// The event.
  public let event: Routes<Route>.Event
  /// The routes before it.
  public let old: Routes<Route>
  /// The routes after it.
  public let new: Routes<Route>

  /// The route that will be at the top.
  public var target: Route { new.current }

  /// The routes that the navigation removes from the stacks, each as often as it is removed.
  ///
  /// A route that other routes cover, or that is in another tab, is not removed.
  public var removed: [Route] {
    var remaining = Dictionary(new.all.map { ($0, 1) }, uniquingKeysWith: +)
    return old.all.filter { route in
      guard let count = remaining[route], count > 0 else { return true }
      remaining[route] = count - 1
      return false
    }
  }
}

extension Routes {
  /// The routes in all stacks.
  fileprivate var all: [Route] {
    (tabs.map(\.stack) + sheets.map(\.stack)).flatMap { [$0.root] + $0.path }
  }
}
