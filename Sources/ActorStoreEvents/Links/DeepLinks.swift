/// The links of an app: a table that maps texts to routes and back.
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
/// Parsing the link of a route gives the same route. So the link of a parsed link is its canonical form, and the
/// canonical form of a canonical link is the link itself.
///
/// A literal part of a pattern precedes a parameter: `/todos/new` is found before `/todos/:name`. Finding the pattern of
/// a link or a route compares it with each pattern.
///
/// A path has no empty parts, and a trailing slash has no meaning. Texts are percent-encoded UTF-8. A plus sign stands for
/// itself. The fragment of a link is ignored.
public struct DeepLinks<Route: Equatable & Sendable>: Sendable {
  private let origins: [String]
  private let patterns: [LinkPattern<Route>]

  /// Creates a table of links.
  ///
  /// - Parameters:
  ///   - origins: The texts before the path with which a link can begin, in addition to the slash of the path. For
  ///     links such as `todo://todos/7`, use `todo:/`.
  ///   - patterns: The patterns. Among equally good ones, the first counts.
  public init(origins: [String] = [], _ patterns: LinkPattern<Route>...) {
    (self.origins, self.patterns) = (origins, patterns)
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
  /// It begins with the path.
  ///
  /// - Parameter route: The route.
  /// - Throws: An error if no pattern has the route.
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
    var candidates = patterns.compactMap { pattern in pattern.syntax.texts(in: link).map { (pattern, $0) } }
    var failure: LinkError?
    while let best = Self.best(candidates.map { $0.0.syntax }, for: link.path) {
      let (pattern, texts) = candidates.remove(at: best)
      do throws(WrongText) { return try pattern.route(texts) } catch {
        failure = failure ?? Self.failure(error, texts, pattern.syntax, link)
      }
    }
    throw failure ?? unknown(link.path)
  }

  /// The index of the pattern that has literals where the others have parameters, from the left.
  private static func best(_ patterns: [PatternSyntax], for path: [String]) -> Int? {
    patterns.indices.min { one, other in
      for (one, other) in zip(patterns[one].groups.joined(), patterns[other].groups.joined()) {
        switch (one, other) {
        case (.literal, .parameter): return true
        case (.parameter, .literal): return false
        default: continue
        }
      }
      return one < other
    }
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
