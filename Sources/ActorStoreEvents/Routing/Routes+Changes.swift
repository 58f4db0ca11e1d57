extension Routes {
  /// Pushes a route above the topmost one.
  public mutating func push(_ route: Route) { stack.path.append(route) }

  /// Pops the topmost route, and returns it.
  ///
  /// If the topmost route is a root, the call pops nothing and returns `nil`.
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
  /// - Parameter path: The routes, from the bottom up.
  public mutating func setPath(_ path: [Route]) { stack.path = path }

  /// Replaces the routes above the root of a tab.
  ///
  /// Use it for the path of a tab's `NavigationStack`.
  ///
  /// - Parameters:
  ///   - path: The routes, from the bottom up.
  ///   - tab: The ID of the tab.
  /// - Returns: Whether the tab exists.
  @discardableResult
  public mutating func setPath(_ path: [Route], ofTab tab: Route) -> Bool {
    guard let index = tabs.firstIndex(where: { $0.id == tab }) else { return false }
    tabs[index].stack.path = path
    return true
  }

  /// Replaces the routes above the root of a sheet.
  ///
  /// - Parameters:
  ///   - path: The routes, from the bottom up.
  ///   - sheet: The ID of the sheet.
  /// - Returns: Whether the sheet exists.
  @discardableResult
  public mutating func setPath(_ path: [Route], ofSheet sheet: Int) -> Bool {
    guard let index = sheets.firstIndex(where: { $0.id == sheet }) else { return false }
    sheets[index].stack.path = path
    return true
  }

  /// Presents a route as the root of a sheet above everything else.
  public mutating func present(_ route: Route) { addSheet(route) }

  /// Dismisses the topmost sheet, and returns its root, or `nil` if there is no sheet.
  @discardableResult
  public mutating func dismiss() -> Route? { sheets.popLast()?.stack.root }

  /// Dismisses a sheet and those above it.
  ///
  /// Use it for a sheet that the user swipes away.
  ///
  /// - Parameter sheet: The ID of the sheet.
  /// - Returns: Whether the sheet exists.
  @discardableResult
  public mutating func dismiss(sheet: Int) -> Bool {
    guard let index = sheets.firstIndex(where: { $0.id == sheet }) else { return false }
    sheets.removeSubrange(index...)
    return true
  }

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

  /// Shows a route as a link does, and dismisses all sheets.
  ///
  /// The route and its parents (see ``Routable/parent``) replace the path of the tab whose ID is the outermost parent. If
  /// no tab has this ID, they replace the path of the selected tab. Parents beyond the 100th are ignored.
  ///
  /// - Parameter route: The route.
  public mutating func open(_ route: Route) {
    var (path, seen) = ([route], Set([route]))
    // Following a cycle of parents would never end.
    while path.count <= 100, let parent = path[path.count - 1].parent, seen.insert(parent).inserted {
      path.append(parent)
    }
    path.reverse()
    sheets = []
    if select(tab: path[0]) {
      // The root of the tab can have been replaced.
      stack = RouteStack(path[0], path: Array(path.dropFirst()))
    } else {
      stack.path = path
    }
  }

  // MARK: Rules

  /// Presents a route in place of an event, until ``Event/resumed``.
  ///
  /// If a waiting sheet already has this root, the event replaces the sheet's event, and sheets above it are dismissed.
  mutating func redirect(to route: Route, _ target: Event) {
    if let index = sheets.lastIndex(where: { $0.target != nil && $0.stack.root == route }) {
      sheets[index].target = target
      sheets.removeSubrange((index + 1)...)
    } else {
      addSheet(route, target: target)
    }
  }

  /// Dismisses the topmost sheet to which an event was redirected, and those above it, and returns the event.
  @discardableResult
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
