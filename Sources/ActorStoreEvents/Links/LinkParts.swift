/// The decoded parts of a link: its path and its query items.
struct LinkParts: Equatable {
  var path: [String] = []
  /// The items in the order of the link, whose names are unique.
  var items: [(name: String, value: String)] = []

  static func == (one: LinkParts, other: LinkParts) -> Bool {
    one.path == other.path && one.items.elementsEqual(other.items, by: ==)
  }

  init(path: [String] = [], items: [(name: String, value: String)] = []) {
    (self.path, self.items) = (path, items)
  }

  /// Splits a link.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - origins: The texts with which a link can begin, in addition to a slash.
  init(_ link: String, origins: [String]) throws(LinkError) {
    // A fragment is for the place that the link leads to.
    let whole = try Self.removeOrigin(from: link.utf8Prefix(before: "#"), origins)
    let path = whole.utf8Prefix(before: "?")
    try splitPath(path)
    let query = whole.utf8.dropFirst(path.utf8.count + 1)
    if !query.isEmpty { try splitQuery(Substring(query)) }
  }

  private static func removeOrigin(from link: Substring, _ origins: [String]) throws(LinkError) -> Substring {
    if link.utf8.first == UInt8(ascii: "/"), link.utf8.dropFirst().first != UInt8(ascii: "/") { return link }
    for origin in origins where link.utf8.count >= origin.utf8.count {
      let end = link.utf8.index(link.utf8.startIndex, offsetBy: origin.utf8.count)
      let rest = link.utf8[end...]
      // The names of schemes and hosts have no case.
      guard link.utf8[..<end].map(lowercase) == origin.utf8.map(lowercase) else { continue }
      if rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") { return Substring(rest) }
    }
    throw LinkError("link", .unknownOrigin(String(link.utf8Prefix(before: "?"))))
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte + 32 : byte
  }

  /// Adds the parts of a path, without empty ones and steps to the same part or the parent (RFC 3986, section 5.2.4).
  private mutating func splitPath(_ path: Substring) throws(LinkError) {
    for part in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) where part != "." {
      if part == ".." {
        _ = self.path.popLast()
      } else {
        guard let text = PercentEncoding.decode(part) else {
          throw LinkError(self.path.linkPath, .malformed(String(part)))
        }
        self.path.append(text)
      }
    }
  }

  private mutating func splitQuery(_ query: Substring) throws(LinkError) {
    var names: Set<String> = []
    for item in query.utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
      let name = item.utf8Prefix(before: "=")
      let value = Substring(item.utf8.dropFirst(name.utf8.count + 1))
      guard let name = PercentEncoding.decode(name), let value = PercentEncoding.decode(value) else {
        throw LinkError(path.linkPath, .malformed(String(item)))
      }
      if !names.insert(name).inserted { throw LinkError(path.linkPath, .repeatedItem(name)) }
      items.append((name, value))
    }
  }

  /// The canonical link of the parts.
  var link: String {
    let query = items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
    return path.linkPath + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }
}

extension Sequence<String> {
  /// The parts as the path of a link.
  var linkPath: String {
    let path = map { "/" + PercentEncoding.encode($0) }.joined()
    return path.isEmpty ? "/" : path
  }
}

extension StringProtocol {
  /// The text before an ASCII character, or all of it.
  ///
  /// It compares bytes, because a character that combines with a delimiter would hide the delimiter.
  fileprivate func utf8Prefix(before delimiter: Unicode.Scalar) -> Substring {
    Substring(Substring(self).utf8.prefix { $0 != UInt8(ascii: delimiter) })
  }
}
