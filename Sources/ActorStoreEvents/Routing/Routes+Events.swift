extension Routes: EventDriven {
  /// A change of the routes.
  public indirect enum Event: Hashable, Sendable {
    /// Pushes a route above the topmost one.
    case push(Route)
    /// Pops the topmost route, unless it is a root.
    case pop
    /// Pops the routes above the last occurrence of a route.
    case popTo(Route)
    /// Pops all routes above the root.
    case popToRoot
    /// Replaces the topmost route.
    case replace(Route)
    /// Replaces the routes above the root.
    case setPath([Route])
    /// Presents a route as a sheet.
    case present(Route)
    /// Dismisses the topmost sheet.
    case dismiss
    /// Selects the tab with an ID.
    case selectTab(Route)
    /// Shows a route as a link does.
    case open(Route)
    /// Presents a route in place of an event. A ``Router`` sends it.
    case redirected(to: Route, Event)
    /// Dismisses the sheet to which an event was redirected, and applies the event.
    case resumed
    /// Asks a question. A ``Router`` sends it.
    case asked(Question)
    /// Answers the question. If the answer is yes, applies its event.
    case answered(Bool)
  }

  /// Changes the routes.
  public mutating func react(to event: Event) { apply(event) }

  /// Changes the routes, and returns whether the event could have an effect.
  @discardableResult
  mutating func apply(_ event: Event) -> Bool {
    switch event {
    case .push(let route): push(route)
    case .pop: return pop() != nil
    case .popTo(let route): return pop(to: route)
    case .popToRoot: popToRoot()
    case .replace(let route): replace(with: route)
    case .setPath(let path): setPath(path)
    case .present(let route): present(route)
    case .dismiss: return dismiss() != nil
    case .selectTab(let tab): return select(tab: tab)
    case .open(let route): open(route)
    case .redirected(let route, let target): redirect(to: route, target)
    case .resumed: return resume()
    case .asked(let question): self.question = question
    case .answered(let isYes): return answer(isYes)
    }
    return true
  }
}

extension Routes.Event: Codable where Route: Codable {}
