/// The decoded parts of a link: its path and its query items.
struct LinkParts {
  struct Item {
    let name: String
    /// The value, or `nil` if its percent-encoding is invalid.
    let value: String?
    /// The item as written in the link.
    let text: String
  }

  var path: [String] = []
  /// The items whose names are valid, in the order of the link.
  var items: [Item] = []

  init() {}

  /// Splits a link.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - origins: The texts with which a link can begin, in addition to a slash. The first that fits counts.
  init(_ link: String, origins: [String]) throws(LinkError) {
    // A fragment identifies a place within a page, not a route.
    let whole = try Self.removeOrigin(from: link.utf8Prefix(before: "#"), origins)
    let path = whole.utf8Prefix(before: "?")
    try splitPath(path)
    splitQuery(Substring(whole.utf8.dropFirst(path.utf8.count + 1)))
  }

  private static func removeOrigin(from link: Substring, _ origins: [String]) throws(LinkError) -> Substring {
    if link.utf8.first == UInt8(ascii: "/"), link.utf8.dropFirst().first != UInt8(ascii: "/") { return link }
    for origin in origins where link.utf8.count >= origin.utf8.count {
      let end = link.utf8.index(link.utf8.startIndex, offsetBy: origin.utf8.count)
      guard areEqual(link.utf8[..<end], origin.utf8[...]) else { continue }
      let rest = Substring(link.utf8[end...])
      if rest.isEmpty || rest.utf8.first == UInt8(ascii: "/") || rest.utf8.first == UInt8(ascii: "?") { return rest }
      if origin.utf8.last == UInt8(ascii: "/") { return "/" + rest }
    }
    throw LinkError("link", .unknownOrigin(String(link.utf8Prefix(before: "?"))))
  }

  /// Whether a text equals an origin, ignoring case in the scheme and the host.
  private static func areEqual(_ text: Substring.UTF8View, _ origin: Substring.UTF8View) -> Bool {
    var slashes = 0
    for (byte, expected) in zip(text, origin) {
      if expected == UInt8(ascii: "/") { slashes += 1 }
      if byte != expected, slashes > 2 || lowercase(byte) != lowercase(expected) { return false }
    }
    return text.count == origin.count
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte + 32 : byte
  }

  /// Adds the parts of a path, skipping empty ones and resolving `.` and `..` (RFC 3986, section 5.2.4).
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

  private mutating func splitQuery(_ query: Substring) {
    for item in query.utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
      let name = item.utf8Prefix(before: "=")
      let value = PercentEncoding.decode(Substring(item.utf8.dropFirst(name.utf8.count + 1)))
      // An invalid name cannot be the name of a parameter, so skip the item.
      if let name = PercentEncoding.decode(name) { items.append(Item(name: name, value: value, text: String(item))) }
    }
  }

  /// The value of the item with a name, or `nil` if there is no such item.
  func value(of name: String) throws(LinkError) -> String? {
    let own = items.filter { $0.name == name }
    if own.count > 1 { throw LinkError(path.linkPath, .repeatedItem(name)) }
    guard let item = own.first else { return nil }
    guard let value = item.value else { throw LinkError(path.linkPath, .malformed(item.text)) }
    return value
  }

  /// The canonical link of the parts.
  var link: String {
    path.linkPath + (items.isEmpty ? "" : "?" + items.map(\.text).joined(separator: "&"))
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
  /// It compares bytes, because a combining character after a delimiter would hide the delimiter.
  fileprivate func utf8Prefix(before delimiter: Unicode.Scalar) -> Substring {
    Substring(Substring(self).utf8.prefix { $0 != UInt8(ascii: delimiter) })
  }
}
