/// The logic of a router, which applies the rules to events, given the state.
struct NavigationCheck<State: EventDriven, Route: Routable>: Sendable {
  typealias Event = Routes<Route>.Event

  enum Result: Equatable {
    /// The action runs, and then the router sends the event, if there is one.
    case allow(Event? = nil)
    /// The action is refused for the reason, and the router sends the event, if there is one.
    case refuse(String, Event? = nil)
  }

  let scope: EventScope<State, Routes<Route>>
  let rules: [RouteRule<State, Route>]

  /// Checks the events of one action, each with the state after the earlier ones.
  func check(_ events: [State.Event], _ state: State) -> Result {
    if events.count == 1 { return check(events[0], state) }
    // Without an event for the routes, or after the last one, the states between the events do not matter.
    guard let last = events.lastIndex(where: { scope.event($0) != nil }) else { return .allow() }
    var (state, next) = (state, Event?.none)
    for event in events[...last] {
      switch check(event, state) {
      case .allow(let event): next = event ?? next
      // The router must not redirect or ask, because the other events of the action are refused, too.
      case .refuse(let reason, _): return .refuse(reason)
      }
      // If the state refuses an event, it also refuses the action.
      guard (try? state.react(to: event)) != nil else { return .allow() }
    }
    return .allow(next)
  }

  func check(_ event: State.Event, _ state: State) -> Result {
    guard let event = scope.event(event) else { return .allow() }
    // The event may create missing routes.
    let routes = scope.find(state) ?? Routes()
    switch event {
    case .redirected(let route, let target):
      // The state may have changed since the rule redirected the target. The questions come after the redirection. A
      // target that goes back could now leave another page.
      switch decide(target, routes, state, ignoringQuestions: true) {
      case .redirect(to: route): return .allow()
      case .allow: return .refuse("\(target) needs no redirection anymore", target.isBackward ? nil : target)
      case let decision: return result(of: decision, for: target, in: routes)
      }
    case .asked(let question):
      guard isPossible(question.event, routes) else { return .refuse("\(question.event) is not possible now") }
      switch decide(question.event, routes, state, agreed: question.agreed) {
      case .ask(question.text): return .allow()
      // The event may have been a member of a transaction, so do not send it without the other members.
      case .allow: return .refuse("\(question.event) needs no question anymore")
      case let decision: return result(of: decision, for: question.event, in: routes, agreed: question.agreed)
      }
    case .answered(let isYes):
      guard let question = routes.question else { return .refuse("there is no question to answer") }
      let agreed = question.agreed + [question.text]
      var answered = routes
      answered.question = nil
      let decision = isYes ? decide(question.event, answered, state, agreed: agreed) : .allow
      return result(of: decision, for: question.event, in: answered, agreed: agreed)
    case .resumed:
      // The event follows in a separate turn, in which the rules decide about it.
      return .allow(routes.sheets.contains { $0.target != nil } ? .continued : nil)
    case .continued:
      guard let target = routes.continuing else { return .refuse("no event waits to be continued") }
      guard isPossible(target, routes) else { return .refuse("\(target) is not possible now") }
      return result(of: decide(target, routes, state), for: target, in: routes)
    default:
      guard isPossible(event, routes) else { return .refuse("\(event) is not possible now") }
      return result(of: decide(event, routes, state), for: event, in: routes)
    }
  }

  private func isPossible(_ event: Event, _ routes: Routes<Route>) -> Bool {
    var changed = routes
    return changed.apply(event)
  }

  /// Returns the first decision that does not allow the event, or `.allow`.
  private func decide(
    _ event: Event, _ routes: Routes<Route>, _ state: State, agreed: [String] = [], ignoringQuestions: Bool = false
  ) -> RouteRule<State, Route>.Decision {
    var changed = routes
    changed.apply(event)
    let navigation = Navigation(event: event, old: routes, new: changed)
    for rule in rules {
      switch rule.decide(navigation, state) {
      case .allow: continue
      case .ask(let text) where ignoringQuestions || agreed.contains(text): continue
      // The navigation already leads to the route of the redirection.
      case .redirect(let route) where route == navigation.target: continue
      case let decision: return decision
      }
    }
    return .allow
  }

  private func result(
    of decision: RouteRule<State, Route>.Decision, for event: Event, in routes: Routes<Route>, agreed: [String] = []
  ) -> Result {
    switch decision {
    case .allow: return .allow()
    case .redirect(let route):
      let reason = "\(event) was redirected to \(route)"
      // An event of the waiting sheet must not replace the event for which the sheet waits.
      let isOfWaitingSheet = routes.sheets.contains { sheet in
        sheet.target != nil && sheet.stack.root == route && (event.isBackward || event.sheet == sheet.id)
      }
      return isOfWaitingSheet ? .refuse(reason) : .refuse(reason, .redirected(to: route, event))
    case .ask(let text):
      return .refuse("\(event) needs an answer: \(text)", .asked(Routes.Question(text, event, agreed: agreed)))
    case .refuse(let reason): return .refuse(reason)
    }
  }
}

extension Routes.Event {
  /// Whether the event only removes routes.
  fileprivate var isBackward: Bool {
    switch self {
    case .pop, .popTo, .popToRoot, .dismiss, .dismissSheet: true
    default: false
    }
  }

  /// The sheet whose path the event sets.
  fileprivate var sheet: Int? { if case .setSheetPath(let id, _) = self { id } else { nil } }
}
