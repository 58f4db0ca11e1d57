/// A pattern of links, and the routes to which they lead.
///
/// ```swift
/// LinkPattern("/todos", .todos)
/// LinkPattern("/todos/:id", route: Page.todo) { if case .todo(let id) = $0 { id } else { nil } }
/// LinkPattern("/archive(/:year)?text", route: Page.archive) {
///   if case .archive(let year, let text) = $0 { (year, text) } else { nil }
/// }
/// ```
///
/// A part of the path that begins with a colon is a parameter. Parts in parentheses at the end of the path are optional,
/// and can be nested: `/archive(/:year(/:month))`. The names after the question mark are query items, which are
/// parameters, too. An item is optional if its type is. The order of the items in a link does not matter. Items that
/// the pattern does not name are ignored, even invalid ones. A part that is not a parameter cannot contain a colon.
///
/// An invalid pattern stops the program with a message.
public struct LinkPattern<Route: Equatable & Sendable>: Sendable {
  let syntax: PatternSyntax
  /// Returns the route for the texts of the parameters.
  let route: @Sendable ([String?]) throws(WrongText) -> Route
  /// Returns the texts of the parameters for a route, or `nil` if the pattern does not have the route.
  let texts: @Sendable (Route) -> [String?]?

  /// Creates the pattern of a single route.
  ///
  /// - Parameters:
  ///   - pattern: The pattern, without parameters.
  ///   - route: The route.
  public init(_ pattern: String, _ route: Route) {
    self.init(pattern, route: { route }, values: { $0 == route ? () : nil })
  }

  /// Creates the pattern of routes with values.
  ///
  /// - Parameters:
  ///   - pattern: The pattern. Its parameters have the types of the values, in order. Parameters in parentheses have
  ///     optional types.
  ///   - route: A function that returns the route for the values, such as a case of an enumeration.
  ///   - values: A closure that returns the values of a route, or `nil` if the pattern does not have the route.
  public init<each Value: LinkValue>(
    _ pattern: String,
    route: @escaping @Sendable (repeat each Value) -> Route,
    values: @escaping @Sendable (Route) -> (repeat each Value)?
  ) {
    guard let syntax = PatternSyntax(pattern) else {
      fatalError(
        "ActorStoreEvents: \"\(pattern)\" is not a valid pattern of links. Write it like "
          + "\"/archive/:year(/:month)?sort&filter\", with a different name for each parameter.")
    }
    var canBeMissing: [Bool] = []
    for type in repeat (each Value).self { canBeMissing.append(Self.isOptional(type)) }
    let names = syntax.parameters
    if names.count != canBeMissing.count {
      fatalError(
        "ActorStoreEvents: the pattern \"\(pattern)\" has \(names.count) parameters, but its route has "
          + "\(canBeMissing.count) values. Use one value for each parameter, in order.")
    }
    let optional = syntax.requiredCount..<(names.count - syntax.items.count)
    if !optional.allSatisfy({ canBeMissing[$0] }) {
      fatalError(
        "ActorStoreEvents: the pattern \"\(pattern)\" has optional parts, so the values of their parameters must have "
          + "optional types.")
    }
    self.syntax = syntax
    self.route = { texts throws(WrongText) in
      var index = 0
      func next<Next: LinkValue>(_ type: Next.Type) throws(WrongText) -> Next {
        defer { index += 1 }
        guard let value = Next(linkText: texts[index]) else { throw WrongText(index: index, type: Self.name(of: type)) }
        return value
      }
      return route(repeat try next((each Value).self))
    }
    self.texts = { route in
      guard let values = values(route) else { return nil }
      var texts: [String?] = []
      for value in repeat each values { texts.append(value.linkText) }
      return texts
    }
  }

  /// The name of a type, or of the wrapped type if it is optional.
  private static func name<Value>(of type: Value.Type) -> String {
    let name = "\(type)"
    return name.hasPrefix("Optional<") ? String(name.dropFirst(9).dropLast()) : name
  }

  private static func isOptional<Value: LinkValue>(_ type: Value.Type) -> Bool { Value(linkText: nil) != nil }
}

/// The error for a parameter whose text is not a value of its type.
struct WrongText: Error {
  let index: Int
  let type: String
}
