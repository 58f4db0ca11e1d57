/// The parts of a pattern such as `/archive(/:year(/:month))?sort`.
struct PatternSyntax: Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case parameter(String)

    /// The name of the parameter, or `nil` if the part is a literal.
    var name: String? { if case .parameter(let name) = self { name } else { nil } }

    func accepts(_ text: String) -> Bool {
      if case .literal(let literal) = self { text == literal } else { true }
    }
  }

  /// The required parts of the path, followed by the parts of each optional group.
  ///
  /// A link has a group only if it has the groups before it.
  private(set) var groups: [[Part]] = [[]]
  /// The names of the query items.
  private(set) var items: [String] = []

  /// Parses a pattern, or returns `nil` if it has an invalid form.
  init?(_ pattern: String) {
    let halves = pattern.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = halves[0]
    while path.last == ")" { path.removeLast() }
    let depth = halves[0].count - path.count
    let groups = path.split(separator: "(", omittingEmptySubsequences: false)
    guard path.first == "/", groups.count == depth + 1, !path.contains(")") else { return nil }
    self.groups = []
    for group in groups {
      guard let parts = Self.parts(of: group) else { return nil }
      self.groups.append(parts)
    }
    // The link to a route has a group only if the group's parameters have values, so each group needs a parameter.
    let areOptional = self.groups.dropFirst().allSatisfy { $0.contains { $0.name != nil } }
    guard areOptional, !self.groups[0].isEmpty || groups.count == 1 || groups[0] == "/" else { return nil }
    for item in halves.count == 1 ? [] : halves[1].split(separator: "&", omittingEmptySubsequences: false) {
      guard !item.contains("="), !item.contains(":"), let name = PercentEncoding.decode(item) else { return nil }
      items.append(name)
    }
    let names = parameters
    guard !names.contains(""), Set(names).count == names.count else { return nil }
  }

  private static func parts(of group: Substring) -> [Part]? {
    if group == "/" || group.isEmpty { return [] }
    guard group.first == "/" else { return nil }
    var parts: [Part] = []
    for part in group.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      if part.isEmpty { return nil }
      if part.first == ":" {
        parts.append(.parameter(String(part.dropFirst())))
      } else {
        // A colon in a part is probably meant to begin a parameter.
        guard !part.contains(":"), let literal = PercentEncoding.decode(part) else { return nil }
        parts.append(.literal(literal))
      }
    }
    return parts
  }

  /// The names of the parameters, in order.
  var parameters: [String] {
    groups.joined().compactMap(\.name) + items
  }

  /// The number of parameters in the path of each link.
  var requiredCount: Int { groups[0].compactMap(\.name).count }

  /// The parts of a path with the given number of parts, or `nil` if no path of the pattern has that many.
  func parts(count: Int) -> [Part]? {
    var parts = groups[0]
    for group in groups.dropFirst() where parts.count < count { parts += group }
    return parts.count == count ? parts : nil
  }

  /// The number of leading parts of a path that the pattern accepts.
  func acceptedCount(of path: [String]) -> Int {
    zip(groups.joined(), path).prefix { $0.accepts($1) }.count
  }

  /// Whether a path fits.
  func accepts(_ path: [String]) -> Bool {
    parts(count: path.count).map { zip($0, path).allSatisfy { $0.accepts($1) } } ?? false
  }

  /// The texts of the parameters, in order, in a link whose path fits.
  func texts(in link: LinkParts) throws(LinkError) -> [String?] {
    var texts: [String?] = zip(groups.joined(), link.path).filter { $0.0.name != nil }.map(\.1)
    texts += Array(repeating: nil, count: parameters.count - items.count - texts.count)
    for name in items { texts.append(try link.value(of: name)) }
    return texts
  }

  /// The link for the texts of the parameters.
  func link(for texts: [String?], of route: @autoclosure () -> String) throws(LinkError) -> LinkParts {
    var (link, rest) = (LinkParts(), texts[...])
    for (index, group) in groups.enumerated() {
      let own = rest.prefix(group.compactMap(\.name).count)
      // Without a group, the link also lacks the groups after it.
      if index > 0 && own.allSatisfy({ $0 == nil }) { break }
      for part in group {
        switch part {
        case .literal(let text): link.path.append(text)
        case .parameter(let name):
          // Parsing the link would skip an empty part.
          guard let text = rest.removeFirst(), !text.isEmpty else {
            throw LinkError(route(), .missingValue(parameter: name))
          }
          link.path.append(text)
        }
      }
    }
    let ofPath = parameters.count - items.count
    if texts[rest.startIndex..<ofPath].contains(where: { $0 != nil }) {
      throw LinkError(route(), .missingValue(parameter: parameters[rest.startIndex]))
    }
    for (name, text) in zip(items, texts[ofPath...]) {
      guard let text else { continue }
      let item = "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(text))"
      link.items.append(LinkParts.Item(name: name, value: text, text: item))
    }
    return link
  }
}
