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
    /// Replaces the routes above the root of the topmost stack.
    case setPath([Route])
    /// Replaces the routes above the root of the tab with an ID.
    case setTabPath(Route, [Route])
    /// Replaces the routes above the root of the sheet with an ID.
    case setSheetPath(Int, [Route])
    /// Presents a route as a sheet.
    case present(Route)
    /// Dismisses the topmost sheet.
    case dismiss
    /// Dismisses the sheet with an ID, and those above it.
    case dismissSheet(Int)
    /// Selects the tab with an ID.
    case selectTab(Route)
    /// Shows a route as a link does.
    case open(Route)
    /// Presents a route in place of an event.
    ///
    /// A ``Router`` sends this event.
    case redirected(to: Route, Event)
    /// Dismisses the topmost sheet to which an event was redirected, if there is one.
    ///
    /// A ``Router`` then sends ``continued``.
    case resumed
    /// Applies the redirected event of the sheet that ``resumed`` dismissed, unless the routes have changed since.
    ///
    /// A ``Router`` sends this event.
    case continued
    /// Asks a question.
    ///
    /// A ``Router`` sends this event.
    case asked(Question)
    /// Answers the question. If the answer is yes, applies its event.
    case answered(Bool)
  }

  /// Changes the routes.
  public mutating func react(to event: Event) { apply(event) }

  /// Changes the routes, and returns whether the event was possible.
  @discardableResult
  mutating func apply(_ event: Event) -> Bool {
    if case .answered(let isYes) = event { return answer(isYes) }
    // After this change, a question's answer or a redirected event would act on another page.
    let target = continuing.take()
    question = nil
    switch event {
    case .push(let route): push(route)
    case .pop: return pop() != nil
    case .popTo(let route): return pop(to: route)
    case .popToRoot: popToRoot()
    case .replace(let route): replace(with: route)
    case .setPath(let path): setPath(path)
    case .setTabPath(let tab, let path): return setPath(path, ofTab: tab)
    case .setSheetPath(let sheet, let path): return setPath(path, ofSheet: sheet)
    case .present(let route): present(route)
    case .dismiss: return dismiss() != nil
    case .dismissSheet(let sheet): return dismiss(sheet: sheet)
    case .selectTab(let tab): return select(tab: tab)
    case .open(let route): open(route)
    case .redirected(let route, let target): redirect(to: route, target)
    case .resumed: continuing = takeTarget()
    case .continued: return target.map { apply($0) } ?? false
    case .asked(let question): self.question = question
    case .answered: break
    }
    return true
  }
}

extension Routes.Event: Codable where Route: Codable {}
