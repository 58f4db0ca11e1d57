extension Routes {
  /// Pushes a route above the topmost one.
  public mutating func push(_ route: Route) { stack.path.append(route) }

  /// Pops the topmost route, and returns it.
  ///
  /// A root is not popped. Then the call returns `nil`.
  @discardableResult
  public mutating func pop() -> Route? { stack.path.popLast() }

  /// Pops the routes above the last occurrence of a route in the topmost stack.
  ///
  /// - Parameter route: The route.
  /// - Returns: Whether the stack contains the route.
  @discardableResult
  public mutating func pop(to route: Route) -> Bool { stack.pop(to: route) }

  /// Pops all routes above the root of the topmost stack, and returns them from the bottom up.
  @discardableResult
  public mutating func popToRoot() -> [Route] {
    let popped = stack.path
    stack.path = []
    return popped
  }

  /// Replaces the topmost route, which can be a root.
  public mutating func replace(with route: Route) { stack.replaceTop(with: route) }

  /// Replaces the routes above the root of the topmost stack.
  ///
  /// Use it for the path of a `NavigationStack`.
  ///
  /// - Parameter path: The routes, from the bottom up.
  public mutating func setPath(_ path: [Route]) { stack.path = path }

  /// Presents a route as the root of a sheet above everything else.
  public mutating func present(_ route: Route) { sheets.append(Sheet(stack: RouteStack(route))) }

  /// Dismisses the topmost sheet, and returns its root, or `nil` if there is no sheet.
  @discardableResult
  public mutating func dismiss() -> Route? { sheets.popLast()?.stack.root }

  /// Selects a tab.
  ///
  /// Sheets stay above it.
  ///
  /// - Parameter tab: The ID of the tab.
  /// - Returns: Whether the tab exists.
  @discardableResult
  public mutating func select(tab: Route) -> Bool {
    if !tabs.contains(where: { $0.id == tab }) { return false }
    selectedTab = tab
    return true
  }

  /// Shows a route as a link does, without sheets.
  ///
  /// The route and its parents (see ``Routable/parent``) replace the path of the tab whose ID is the outermost parent. If
  /// it is no tab, they replace the path of the selected tab.
  ///
  /// - Parameter route: The route.
  public mutating func open(_ route: Route) {
    var path = [route]
    // A parent that occurs again would have no end.
    while let parent = path[0].parent, !path.contains(parent) { path.insert(parent, at: 0) }
    sheets = []
    if select(tab: path[0]) {
      // The root of the tab can have been replaced.
      stack = RouteStack(path[0], path: Array(path.dropFirst()))
    } else {
      stack.path = path
    }
  }

  /// Presents a route in place of an event, until ``resume()`` applies the event.
  ///
  /// If the topmost sheet already waits at this route, it gets the event in place of its own.
  mutating func redirect(to route: Route, _ target: Event) {
    question = nil
    if let top = sheets.last, top.target != nil, top.stack.root == route {
      sheets[sheets.count - 1].target = target
    } else {
      sheets.append(Sheet(stack: RouteStack(route), target: target))
    }
  }

  /// Dismisses the topmost sheet to which an event was redirected, and those above it, and applies the event.
  ///
  /// - Returns: Whether there is such a sheet.
  @discardableResult
  public mutating func resume() -> Bool {
    guard let target = takeTarget() else { return false }
    react(to: target)
    return true
  }

  /// Dismisses the topmost sheet to which an event was redirected, and those above it, and returns the event.
  mutating func takeTarget() -> Event? {
    guard let index = sheets.lastIndex(where: { $0.target != nil }) else { return nil }
    defer { sheets.removeSubrange(index...) }
    return sheets[index].target
  }

  /// Answers the question of a rule, and applies its event if the answer is yes.
  ///
  /// - Parameter isYes: Whether the answer is yes.
  /// - Returns: Whether there is a question.
  @discardableResult
  public mutating func answer(_ isYes: Bool) -> Bool {
    guard let question = question.take() else { return false }
    if isYes { react(to: question.event) }
    return true
  }
}
