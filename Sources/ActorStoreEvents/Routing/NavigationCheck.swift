/// The logic of a router: what the rules say about events, given the state.
struct NavigationCheck<State: EventDriven, Route: Routable>: Sendable {
  typealias Event = Routes<Route>.Event

  enum Result: Equatable {
    case allow
    /// The action is refused for the reason, and the router sends an event.
    case refuse(String, Event?)
  }

  let scope: EventScope<State, Routes<Route>>
  let rules: [RouteRule<State, Route>]

  /// Checks the events of one action, of which each acts on the state that the earlier ones leave behind.
  func check(_ events: [State.Event], _ state: State) -> Result {
    if events.count == 1 { return check(events[0], state) }
    // Other events do not need the state between the events.
    guard let last = events.lastIndex(where: { scope.event($0) != nil }) else { return .allow }
    var state = state
    for event in events[...last] {
      let result = check(event, state)
      if result != .allow { return result }
      // If the state refuses an event, it also refuses the action.
      guard (try? state.react(to: event)) != nil else { return .allow }
    }
    return .allow
  }

  func check(_ event: State.Event, _ state: State) -> Result {
    guard let event = scope.event(event), let routes = scope.find(state) else { return .allow }
    switch event {
    case .redirected(let route, let target):
      // The state may have changed since the rule redirected the target.
      switch decide(target, routes, state) {
      case .redirect(to: route): return .allow
      case let decision: return result(of: decision, for: target, otherwise: "\(target) needs no redirection anymore")
      }
    case .asked(let question):
      switch decide(question.event, routes, state) {
      case .ask(question.text): return .allow
      case let decision:
        return result(of: decision, for: question.event, otherwise: "\(question.event) needs no question anymore")
      }
    case .answered(let isYes):
      guard let question = routes.question else { return .refuse("there is no question to answer", nil) }
      var answered = routes
      answered.question = nil
      if !isYes { return .allow }
      return result(of: decide(question.event, answered, state, agreedTo: question.text), for: question.event)
    case .resumed:
      var resumed = routes
      guard let target = resumed.takeTarget() else { return .refuse("no redirected event waits", nil) }
      return result(of: decide(target, resumed, state), for: target)
    default:
      var changed = routes
      if !changed.apply(event) { return .refuse("\(event) has no effect on the routes", nil) }
      return result(of: decide(event, routes, state), for: event)
    }
  }

  /// Returns the first decision that does not allow the event.
  private func decide(
    _ event: Event, _ routes: Routes<Route>, _ state: State, agreedTo text: String? = nil
  ) -> RouteRule<State, Route>.Decision {
    var changed = routes
    changed.apply(event)
    let navigation = Navigation(event: event, old: routes, new: changed)
    for rule in rules {
      let decision = rule.decide(navigation, state)
      if case .ask(let question) = decision, question == text { continue }
      if decision != .allow { return decision }
    }
    return .allow
  }

  /// The result of a decision about an event.
  ///
  /// - Parameter reason: If given, the event comes in place of one that is refused for this reason.
  private func result(
    of decision: RouteRule<State, Route>.Decision, for event: Event, otherwise reason: String? = nil
  ) -> Result {
    switch decision {
    case .allow: reason.map { .refuse($0, event) } ?? .allow
    case .redirect(let route): .refuse("\(event) was redirected to \(route)", .redirected(to: route, event))
    case .ask(let text): .refuse("\(event) needs an answer: \(text)", .asked(Routes.Question(text, event)))
    case .refuse(let reason): .refuse(reason, nil)
    }
  }
}
