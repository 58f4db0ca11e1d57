/// A table that maps the links of an app to routes and back.
///
/// ```swift
/// static let links = DeepLinks<Page>(
///   origins: ["https://todo.example", "todo:/"],
///   LinkPattern("/todos", .todos),
///   LinkPattern("/todos/:id", route: Page.todo) { if case .todo(let id) = $0 { id } else { nil } })
///
/// let page = try links.route(for: "https://todo.example/todos/7?utm_source=mail")  // .todo(7)
/// let link = try links.link(to: page)  // "/todos/7"
/// ```
///
/// Parsing the link to a route gives the same route. So parsing any link and making a link to its route gives the
/// canonical form of the link. A canonical link is its own canonical form.
///
/// If several patterns match a link, a literal part takes precedence over a parameter: `/todos/new` is found before
/// `/todos/:name`. Among patterns with the same parts, the one with more of the link's query items wins. Each lookup
/// compares the link or the route with all patterns.
///
/// Empty parts of a path and a trailing slash are ignored. Texts are percent-encoded UTF-8. A plus sign does not encode
/// a space. The fragment of a link is ignored.
public struct DeepLinks<Route: Equatable & Sendable>: Sendable {
  private let origins: [String]
  private let patterns: [LinkPattern<Route>]

  /// Creates a table of links.
  ///
  /// - Parameters:
  ///   - origins: The texts that can precede the path of a link, such as `https://todo.example`. For links such as
  ///     `todo://todos/7`, use `todo:/`. If several match, the longest wins. A link can also begin with its path.
  ///   - patterns: The patterns. If several match a link equally well, the first wins.
  public init(origins: [String] = [], _ patterns: LinkPattern<Route>...) {
    // An origin can be the beginning of another one.
    self.origins = origins.sorted { $0.utf8.count > $1.utf8.count }
    self.patterns = patterns
  }

  /// Returns the route for a link.
  ///
  /// - Parameter link: The link.
  /// - Throws: An error that names the part of the link for which there is no route.
  public func route(for link: String) throws(LinkError) -> Route {
    try route(for: LinkParts(link, origins: origins))
  }

  /// Returns the canonical link to a route.
  ///
  /// The link has no origin. It begins with the path.
  ///
  /// - Parameter route: The route.
  /// - Throws: An error if no pattern has the route, or if the link would be incomplete or would lead to another route.
  public func link(to route: Route) throws(LinkError) -> String {
    var failure: LinkError?
    for pattern in patterns {
      guard let texts = pattern.texts(route) else { continue }
      do throws(LinkError) {
        let parts = try pattern.syntax.link(for: texts, of: "\(route)")
        if (try? self.route(for: parts)) == route { return parts.link }
        failure = failure ?? LinkError("\(route)", .ambiguous(parts.link))
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? LinkError("\(route)", .noPattern)
  }

  private func route(for link: LinkParts) throws(LinkError) -> Route {
    var failure: LinkError?
    for pattern in candidates(for: link) {
      let texts = try pattern.syntax.texts(in: link)
      do throws(WrongText) { return try pattern.route(texts) } catch {
        failure = failure ?? Self.failure(error, texts, pattern.syntax, link)
      }
    }
    throw failure ?? unknown(link.path)
  }

  /// The patterns that fit a path, from the most specific one to the least specific one.
  ///
  /// A pattern is more specific if it has literals farther to the left, or else if it has more of the link's query items.
  private func candidates(for link: LinkParts) -> [LinkPattern<Route>] {
    let names = Set(link.items.map(\.name))
    let ranked = patterns.filter { $0.syntax.accepts(link.path) }.map { pattern in
      // A 1 for each literal and a 0 for each parameter, and then the number of query items that the link has.
      let literals = pattern.syntax.groups.joined().prefix(link.path.count).map { $0.name == nil ? 1 : 0 }
      return (pattern: pattern, rank: literals + [pattern.syntax.items.count(where: names.contains)])
    }
    // The sort is stable, so the first of equally specific patterns remains the first.
    return ranked.sorted { $1.rank.lexicographicallyPrecedes($0.rank) }.map(\.pattern)
  }

  private static func failure(
    _ wrong: WrongText, _ texts: [String?], _ syntax: PatternSyntax, _ link: LinkParts
  ) -> LinkError {
    let name = syntax.parameters[wrong.index]
    guard let text = texts[wrong.index] else { return LinkError(link.path.linkPath, .missingItem(name)) }
    let before = link.path.prefix(syntax.groups.joined().prefix { $0.name != name }.count)
    return LinkError(before.linkPath, .wrongValue(text, parameter: name, type: wrong.type))
  }

  /// The error for a path that fits no pattern, which names the first part that no pattern accepts.
  private func unknown(_ path: [String]) -> LinkError {
    let accepted = patterns.map { $0.syntax.acceptedCount(of: path) }.max() ?? 0
    let known = path.prefix(accepted).linkPath
    return LinkError(known, accepted < path.count ? .unknownPart(path[accepted]) : .incomplete)
  }
}
