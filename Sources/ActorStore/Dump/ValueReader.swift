/// Reads values by reflection.
struct ValueReader {
  private let limits: Dump.Limits
  /// The number of each object that the reader has encountered.
  private var objects: [ObjectIdentifier: Int] = [:]
  /// The number of values that the reader may still read.
  ///
  /// It begins at the number of characters in the permitted lines, because a line never shows more values than it has
  /// characters.
  private var budget: Int

  init(_ limits: Dump.Limits) {
    self.limits = limits
    let (budget, isOver) = limits.lines.multipliedReportingOverflow(by: Dump.lineWidth)
    self.budget = isOver ? .max : budget
  }

  mutating func read(_ value: Any) -> DumpNode { read(value, depth: 0) }

  private mutating func read(_ value: Any, depth: Int) -> DumpNode {
    if budget == 0 { return .leaf("…") }
    budget -= 1
    if let text = ownText(value) { return .leaf(text) }
    if depth >= limits.depth { return .leaf("…") }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { read($0.value, depth: depth) } ?? .leaf("nil")
    case .collection:
      let shown = mirror.children.prefix(limits.elements).map { ($0.label, $0.value) }
      return group("", .square, shown, depth, omitted: mirror.children.count - shown.count)
    case .set where mirror.children.count > limits.visits, .dictionary where mirror.children.count > limits.visits:
      return .leaf("(\(mirror.children.count) elements)")
    case .set:
      return sorted(elements: mirror.children.map(\.value), depth)
    case .dictionary:
      return sorted(pairs: mirror.children.map(\.value), depth)
    case .enum:
      return readCase(of: value, mirror, depth)
    case .tuple:
      return group("", .round, mirror.children.map { (Self.label($0.label), $0.value) }, depth)
    case .class, .foreignReference:
      return readObject(value, mirror, depth)
    default:
      let members = Self.members(of: mirror)
      if members.isEmpty {
        // The description of a type that hides its parts may contain them.
        let isOpaque = mirror.displayStyle == nil && !(value is any CustomReflectable)
        return .leaf(isOpaque ? "\(value)" : "\(typeName(value))()")
      }
      return group(typeName(value), .round, members, depth)
    }
  }

  // MARK: Kinds

  /// The text of a value that describes itself, or `nil` for other values.
  private func ownText(_ value: Any) -> String? {
    switch value {
    case let string as String: return quoted(string)
    case let string as Substring: return quoted(String(string))
    case let character as Character: return quoted(String(character))
    case let type as any Any.Type: return "\(type).self"
    case let path as AnyKeyPath: return "\(path)"
    default: break
    }
    let style = Mirror(reflecting: value).displayStyle
    let name = String(reflecting: type(of: value))
    if style == nil, name.contains(" -> ") { return "(function)" }
    // The name of a type begins with its module.
    let module = name.prefix { $0 != "." }
    if module.hasPrefix("Foundation") { return "\(value)" }
    guard module == "Swift" else { return nil }
    switch style {
    case .optional, .collection, .set, .dictionary, .tuple, .enum: return nil
    default: return "\(value)"
    }
  }

  private func quoted(_ string: String) -> String {
    let left = string.count - limits.characters
    if left <= 0 { return string.debugDescription }
    return "\(String(string.prefix(limits.characters)).debugDescription) … (\(left) more characters)"
  }

  private mutating func readCase(of value: Any, _ mirror: Mirror, _ depth: Int) -> DumpNode {
    guard let payload = mirror.children.first else { return .leaf(caseName(of: value)) }
    let name = ".\(payload.label ?? typeName(value))"
    let inner = Mirror(reflecting: payload.value)
    if inner.displayStyle == .tuple {
      return group(name, .round, inner.children.map { (Self.label($0.label), $0.value) }, depth)
    }
    return group(name, .round, [(nil, payload.value)], depth)
  }

  /// The text of a case without a payload, which is its own description if it has one.
  private func caseName(of value: Any) -> String {
    value is any CustomStringConvertible ? "\(value)" : ".\(value)"
  }

  private mutating func readObject(_ value: Any, _ mirror: Mirror, _ depth: Int) -> DumpNode {
    // Another task may be changing the contents of an actor.
    if value is any Actor { return .leaf(typeName(value)) }
    let id = ObjectIdentifier(value as AnyObject)
    if let number = objects[id] { return .leaf("\(typeName(value))#\(number)") }
    let number = objects.count + 1
    objects[id] = number
    return group("\(typeName(value))#\(number)", .round, Self.members(of: mirror), depth)
  }

  // MARK: Parts

  /// The members of a value, including inherited ones.
  static func members(of mirror: Mirror) -> [(label: String?, value: Any)] {
    let inherited = mirror.superclassMirror.map(members) ?? []
    return inherited + mirror.children.map { (label($0.label), $0.value) }
  }

  /// The label to show for a member, or `nil` if it has none.
  ///
  /// Reflection labels the unnamed elements of a tuple `.0`, `.1`, and so on. It labels a lazy property with the name
  /// of its storage.
  private static func label(_ label: String?) -> String? {
    guard var label, !label.hasPrefix(".") else { return nil }
    if label.hasPrefix("$__lazy_storage_$_") { label.removeFirst("$__lazy_storage_$_".count) }
    return label
  }

  private func typeName(_ value: Any) -> String { "\(type(of: value))" }

  private mutating func group(
    _ name: String,
    _ brackets: DumpNode.Group.Brackets,
    _ parts: [(String?, Any)],
    _ depth: Int,
    omitted: Int = 0
  ) -> DumpNode {
    var group = DumpNode.Group(name: name, brackets: brackets, parts: [])
    let shown = brackets == .square ? parts.prefix(limits.elements) : parts[...]
    for (label, value) in shown { group.parts.append(.init(label: label, node: read(value, depth: depth + 1))) }
    group.omitted = omitted + parts.count - shown.count
    return .group(group)
  }

  private mutating func sorted(elements: [Any], _ depth: Int) -> DumpNode {
    sorted(elements.map { (text(of: $0, depth), nil, $0) }, depth)
  }

  private mutating func sorted(pairs: [Any], _ depth: Int) -> DumpNode {
    if pairs.isEmpty { return .leaf("[:]") }
    let entries = pairs.map { pair -> (text: String, label: String?, value: Any) in
      let (key, value) = keyAndValue(pair)
      let text = text(of: key, depth)
      return (text, text, value)
    }
    return sorted(entries, depth)
  }

  /// The text by which a part is sorted.
  ///
  /// A copy of the reader reads it, because reading numbers objects, and their numbers must follow the sorted order.
  private func text(of value: Any, _ depth: Int) -> String {
    var reader = self
    return reader.read(value, depth: depth + 1).lines(width: .max).joined()
  }

  private mutating func sorted(_ entries: [(text: String, label: String?, value: Any)], _ depth: Int) -> DumpNode {
    let ordered = entries.sorted { SortedText($0.text) < SortedText($1.text) }
    return group("", .square, ordered.map { ($0.label, $0.value) }, depth)
  }

  private func keyAndValue(_ pair: Any) -> (key: Any, value: Any) {
    let parts = Array(Mirror(reflecting: pair).children.map(\.value))
    return parts.count == 2 ? (parts[0], parts[1]) : ("?", pair)
  }
}

/// A text in an order that puts numbers first, by their values.
struct SortedText: Comparable {
  private let number: Double?
  private let text: String

  init(_ text: String) {
    number = Double(text).flatMap { $0.isNaN ? nil : $0 }
    self.text = text
  }

  static func inOrder(_ one: String, _ other: String) -> Bool { SortedText(one) < SortedText(other) }

  static func < (one: SortedText, other: SortedText) -> Bool {
    switch (one.number, other.number) {
    case (let first?, let second?) where first != second: first < second
    case (_?, nil): true
    case (nil, _?): false
    default: one.text < other.text
    }
  }
}
