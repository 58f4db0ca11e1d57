/// A root and the routes that are pushed above it.
public struct RouteStack<Route: Hashable & Sendable>: Hashable, Sendable {
  /// The route at the bottom.
  public private(set) var root: Route
  /// The routes above the root, from the bottom up.
  public internal(set) var path: [Route] = []

  init(_ root: Route, path: [Route] = []) { (self.root, self.path) = (root, path) }

  /// The route at the top.
  public var top: Route { path.last ?? root }

  mutating func replaceTop(with route: Route) {
    if path.isEmpty { root = route } else { path[path.count - 1] = route }
  }

  /// Removes the routes above the last occurrence of a route, or returns `false` if there is none.
  mutating func pop(to route: Route) -> Bool {
    if let index = path.lastIndex(of: route) {
      path.removeSubrange((index + 1)...)
    } else {
      if root != route { return false }
      path = []
    }
    return true
  }
}

extension RouteStack: Codable where Route: Codable {}
