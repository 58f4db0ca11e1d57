/// Reads values as trees of nodes, by reflection.
///
/// It reads each part of a value at most once, and all values that it reads share one limit.
struct ValueReader {
  private let limits: Dump.Limits
  /// The index of each object that the reader has encountered.
  private var indices: [ObjectIdentifier: Int] = [:]
  /// The contents of the objects, or `nil` while an object is being read.
  private var objects: [DumpNode.Group?] = []
  /// The number of parts of keys that the reader may still read for sorting.
  private var keys: Int
  private var isReadingKey = false
  /// The number of parts that the reader may still read for display.
  ///
  /// It begins at the number of characters in the permitted lines, because a line never shows more values than it has
  /// characters.
  private var shown: Int

  init(_ limits: Dump.Limits) {
    self.limits = limits
    keys = limits.parts
    let (shown, isOver) = limits.lines.multipliedReportingOverflow(by: Dump.lineWidth)
    self.shown = isOver ? .max : shown
  }

  /// Reads a value, and numbers its objects from 1.
  mutating func read(_ value: Any) -> DumpNode {
    (indices, objects) = ([:], [])
    let node = read(value, depth: 0)
    var numbers: [Int: Int] = [:]
    return numbered(node, depth: 0, &numbers)
  }

  /// The text of a key, on one line.
  mutating func name(of key: Any) -> String {
    isReadingKey = true
    defer { isReadingKey = false }
    return read(key).line
  }

  private mutating func read(_ value: Any, depth: Int) -> DumpNode {
    if (isReadingKey ? keys : shown) <= 0 { return .leaf("…") }
    if isReadingKey { keys -= 1 } else { shown -= 1 }
    if Self.isNumber(value) { return .leaf("\(value)") }
    let mirror = Mirror(reflecting: value)
    if let text = ownText(value, mirror) { return .leaf(text) }
    if depth >= limits.depth { return .leaf("…") }
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.map { read($0.value, depth: depth) } ?? .leaf("nil")
    case .collection:
      return elements(mirror, depth)
    case .set:
      let some = mirror.children.prefix(keys).map { (key: $0.value, value: Any?.none) }
      return sorted(some, of: mirror.children.count, depth)
    case .dictionary:
      guard let entries = (value as? any DumpedDictionary)?.entries(atMost: keys) else {
        return elements(mirror, depth)
      }
      return entries.isEmpty ? .leaf("[:]") : sorted(entries, of: mirror.children.count, depth)
    case .enum:
      return readCase(of: value, mirror, depth)
    case .tuple:
      return group("", mirror.children.map { (Self.label($0.label), $0.value) }, depth)
    case .class, .foreignReference:
      return readObject(value, mirror, depth)
    default:
      return readStructure(value, mirror, depth)
    }
  }

  // MARK: Kinds

  /// The text of a value that describes itself, or `nil` for other values.
  ///
  /// The description of a generic value contains those of its elements, which may show parts that their mirrors hide.
  private func ownText(_ value: Any, _ mirror: Mirror) -> String? {
    let type = type(of: value)
    // Casting the value would unwrap optionals. On some platforms, it would also convert whole collections.
    if type == String.self { return quoted(value as? String ?? "") }
    if type == Substring.self { return quoted((value as? Substring).map(String.init) ?? "") }
    if type == Character.self { return quoted((value as? Character).map { String($0) } ?? "") }
    if mirror.displayStyle == nil, let type = value as? any Any.Type { return "\(type).self" }
    let name = String(reflecting: type)
    if mirror.displayStyle == nil, name.contains(" -> ") { return "(function)" }
    // The name of a type begins with its module.
    let module = name.prefix { $0 != "." }
    let isStandard = module == "Swift"
    guard isStandard || module == "Foundation" || module == "FoundationEssentials" else { return nil }
    switch mirror.displayStyle {
    case .optional, .collection, .set, .dictionary, .tuple, .enum:
      return isStandard ? nil : "\(value)"
    case .class, .foreignReference:
      if let path = value as? AnyKeyPath { return "\(path)" }
      // Other tasks may be changing the contents.
      return isStandard ? typeName(value) : "\(value)"
    default:
      // An unmanaged object may have been deallocated.
      if name.hasPrefix("Swift.Unmanaged<") { return typeName(value) }
      let isOpen = name.contains("<") || Self.containers.contains(name)
      return isOpen && !name.hasPrefix("Swift.SIMD") ? nil : "\(value)"
    }
  }

  /// Nongeneric types that contain values of any type.
  private static let containers: Set<String> = ["Swift.AnyHashable", "Foundation.Notification"]

  /// Whether the value is a number or a Boolean.
  ///
  /// Such a value needs no mirror, which would cost most of the time.
  static func isNumber(_ value: Any) -> Bool { numbers.contains(ObjectIdentifier(type(of: value))) }

  private static let numbers: Set<ObjectIdentifier> = [
    ObjectIdentifier(Bool.self), ObjectIdentifier(Double.self), ObjectIdentifier(Float.self),
    ObjectIdentifier(Int.self), ObjectIdentifier(Int8.self), ObjectIdentifier(Int16.self), ObjectIdentifier(Int32.self),
    ObjectIdentifier(Int64.self), ObjectIdentifier(UInt.self), ObjectIdentifier(UInt8.self),
    ObjectIdentifier(UInt16.self), ObjectIdentifier(UInt32.self), ObjectIdentifier(UInt64.self),
  ]

  private func quoted(_ string: String) -> String {
    let left = string.count - limits.characters
    if left <= 0 { return string.debugDescription }
    return "\(String(string.prefix(limits.characters)).debugDescription) … (\(left) more characters)"
  }

  private mutating func readCase(of value: Any, _ mirror: Mirror, _ depth: Int) -> DumpNode {
    guard let payload = mirror.children.first else { return .leaf(Self.caseName(of: value)) }
    let name = ".\(payload.label ?? typeName(value))"
    let inner = Mirror(reflecting: payload.value)
    if inner.displayStyle == .tuple {
      return group(name, inner.children.map { (Self.label($0.label), $0.value) }, depth)
    }
    return group(name, [(nil, payload.value)], depth)
  }

  /// The text of a case without a payload, which is its own description if it has one.
  static func caseName(of value: Any) -> String {
    value is any CustomStringConvertible ? "\(value)" : ".\(value)"
  }

  private mutating func readObject(_ value: Any, _ mirror: Mirror, _ depth: Int) -> DumpNode {
    // Another task may be changing the contents of an actor.
    if value is any Actor { return .leaf(typeName(value)) }
    let id = ObjectIdentifier(value as AnyObject)
    if let index = indices[id] { return .object(index) }
    let index = objects.count
    indices[id] = index
    objects.append(nil)
    objects[index] = content(typeName(value), .round, Self.members(of: mirror), depth)
    return .object(index)
  }

  private mutating func readStructure(_ value: Any, _ mirror: Mirror, _ depth: Int) -> DumpNode {
    let members = Self.members(of: mirror)
    if let hashable = value as? AnyHashable, type(of: value) == AnyHashable.self {
      return read(hashable.base, depth: depth)
    }
    if members.isEmpty {
      // The description of a type that hides its parts may contain them.
      let isOpaque = mirror.displayStyle == nil && !(value is any CustomReflectable)
      return .leaf(isOpaque ? "\(value)" : "\(typeName(value))()")
    }
    let node = group(typeName(value), members, depth)
    // A range is shorter than the group of its bounds.
    if members.map(\.label) == ["lowerBound", "upperBound"], case .group(let range) = node,
      case .leaf(let lower) = range.parts[0].node, case .leaf(let upper) = range.parts[1].node
    {
      if range.name.hasPrefix("Range<") { return .leaf("\(lower)..<\(upper)") }
      if range.name.hasPrefix("ClosedRange<") { return .leaf("\(lower)...\(upper)") }
    }
    return node
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

  private mutating func group(_ name: String, _ parts: [(label: String?, value: Any)], _ depth: Int) -> DumpNode {
    .group(content(name, .round, parts, depth))
  }

  private mutating func elements(_ mirror: Mirror, _ depth: Int) -> DumpNode {
    let shown = mirror.children.prefix(limits.elements).map { ($0.label, $0.value) }
    var group = content("", .square, shown, depth)
    group.omitted = mirror.children.count - shown.count
    return .group(group)
  }

  private mutating func content(
    _ name: String, _ brackets: DumpNode.Group.Brackets, _ parts: [(label: String?, value: Any)], _ depth: Int
  ) -> DumpNode.Group {
    let parts = parts.map { DumpNode.Part(label: $0.label, node: read($0.value, depth: depth + 1)) }
    return DumpNode.Group(name: name, brackets: brackets, parts: parts)
  }

  // MARK: Sorted parts

  /// Reads the elements of a set, or the entries of a dictionary, in the order of their texts.
  private mutating func sorted(_ entries: [(key: Any, value: Any?)], of count: Int, _ depth: Int) -> DumpNode {
    // All keys must be read, although only some are shown.
    let isInKey = isReadingKey
    isReadingKey = true
    let keys = entries.enumerated().map { index, entry in
      let key = read(entry.key, depth: depth + 1)
      return (text: SortedText(sortText(of: key)), node: key, index: index)
    }
    isReadingKey = isInKey
    let first = keys.sorted { $0.text < $1.text }.prefix(limits.elements)
    let parts = first.map { key in
      guard let value = entries[key.index].value else { return DumpNode.Part(node: key.node) }
      return DumpNode.Part(key: key.node, node: read(value, depth: depth + 1))
    }
    return .group(DumpNode.Group(name: "", brackets: .square, parts: parts, omitted: count - parts.count))
  }

  /// The beginning of a node's text, without the numbers of objects, because those depend on the order.
  private func sortText(of node: DumpNode) -> String {
    var text = ""
    var open: Set<Int> = []
    append(node, to: &text, &open)
    return text
  }

  private func append(_ node: DumpNode, to text: inout String, _ open: inout Set<Int>) {
    if text.utf8.count > 200 { return }
    switch node {
    case .leaf(let leaf): text += leaf
    case .group(let group):
      text += group.opening
      for part in group.parts {
        if let key = part.key { append(key, to: &text, &open) } else { text += part.label ?? "" }
        text += ": "
        append(part.node, to: &text, &open)
        text += ", "
      }
      text += group.closing
    case .object(let index):
      guard let object = objects[index], open.insert(index).inserted else { return }
      append(.group(object), to: &text, &open)
      open.remove(index)
    }
  }

  // MARK: Numbers

  /// Replaces each object with its content or, after the first time, with its number.
  private func numbered(_ node: DumpNode, depth: Int, _ numbers: inout [Int: Int]) -> DumpNode {
    switch node {
    case .leaf: return node
    case .group(var group):
      for index in group.parts.indices {
        if let key = group.parts[index].key {
          group.parts[index].label = numbered(key, depth: depth + 1, &numbers).line
          group.parts[index].key = nil
        }
        group.parts[index].node = numbered(group.parts[index].node, depth: depth + 1, &numbers)
      }
      return .group(group)
    case .object(let index):
      guard var object = objects[index] else { return .leaf("…") }
      if let number = numbers[index] { return .leaf("\(object.name)#\(number)") }
      // After sorting, an object can be nested more deeply than when it was read.
      if depth > limits.depth { return .leaf("…") }
      numbers[index] = numbers.count + 1
      object.name += "#\(numbers.count)"
      return numbered(.group(object), depth: depth, &numbers)
    }
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

  static func < (one: SortedText, other: SortedText) -> Bool {
    switch (one.number, other.number) {
    case (let first?, let second?) where first != second: first < second
    case (_?, nil): true
    case (nil, _?): false
    default: one.text < other.text
    }
  }
}
