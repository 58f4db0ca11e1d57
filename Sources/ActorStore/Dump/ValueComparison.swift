/// Finds the differences between two values.
struct ValueComparison {
  private let limits: Dump.Limits
  /// The pairs of objects whose comparison has begun.
  ///
  /// The comparison does not look inside a pair again, so cycles end.
  private var pairs: Set<[ObjectIdentifier]> = []

  /// The number of parts that the comparison may still visit.
  private var visits: Int

  init(_ limits: Dump.Limits) {
    self.limits = limits
    visits = limits.visits
  }

  /// Returns the difference between two values, or `nil` if there is none.
  mutating func compare(_ old: Any, _ new: Any) -> DumpDifference? { compare(old, new, label: nil, depth: 0) }

  private mutating func compare(_ old: Any, _ new: Any, label: String?, depth: Int) -> DumpDifference? {
    if areSame(old, new, depth) { return nil }
    if let inside = inside(old, new, label, depth) { return inside }
    if let (before, after) = excerpts(old, new) {
      return .replaced(.init(label: label, node: .leaf(before)), .init(label: label, node: .leaf(after)))
    }
    let (before, after) = (part(label, old), part(label, new))
    if before != after { return .replaced(before, after) }
    return .unseen(after, ValueSameness.areEqual(old, new) == nil ? .notCompared : .notEqual)
  }

  private mutating func areSame(_ old: Any, _ new: Any, _ depth: Int) -> Bool {
    var sameness = ValueSameness(of: .contents, levels: limits.depth - depth, visits: visits)
    defer { visits = sameness.visits }
    return sameness.areSame(old, new)
  }

  /// The text around the first difference of two strings, or `nil` unless one of them is long.
  private func excerpts(_ old: Any, _ new: Any) -> (String, String)? {
    guard let old = old as? String, let new = new as? String, max(old.count, new.count) > limits.characters else {
      return nil
    }
    let same = zip(old, new).prefix { $0 == $1 }.count
    let start = max(0, same - limits.characters / 4)
    func excerpt(_ text: String) -> String {
      let part = text.dropFirst(start)
      let shown = part.prefix(limits.characters)
      let before = start > 0 ? "(\(start) characters) … " : ""
      let left = part.count - shown.count
      return before + String(shown).debugDescription + (left > 0 ? " … (\(left) more characters)" : "")
    }
    return (excerpt(old), excerpt(new))
  }

  private func part(_ label: String?, _ value: Any) -> DumpNode.Part {
    var reader = ValueReader(limits)
    return DumpNode.Part(label: label, node: reader.read(value))
  }

  // MARK: Inside

  /// The differences inside two values of the same type.
  ///
  /// Returns `nil` if there are none, or if the values cannot be compared part by part.
  private mutating func inside(_ old: Any, _ new: Any, _ label: String?, _ depth: Int) -> DumpDifference? {
    guard depth < limits.depth, type(of: old) == type(of: new) else { return nil }
    let (one, other) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard one.displayStyle == other.displayStyle, mayVisit(one, other) else { return nil }
    switch one.displayStyle {
    case .struct, .tuple:
      return members(one, other, label, one.displayStyle == .tuple ? "" : "\(type(of: new))", depth)
    case .class:
      return objects(old, new, one, other, label, depth)
    case .optional:
      guard let old = one.children.first?.value, let new = other.children.first?.value else { return nil }
      return inside(old, new, label, depth)
    case .enum:
      return payloads(one, other, label, depth)
    case .collection:
      return elements(one.children.map(\.value), other.children.map(\.value), label, depth)
    case .dictionary:
      guard let old = ValueSameness.entries(of: one), let new = ValueSameness.entries(of: other) else { return nil }
      return keyed(old, new, label, depth)
    case .set:
      return sets(one, other, label, depth)
    default:
      return nil
    }
  }

  /// Returns whether the comparison may visit all parts of two values, and counts the visits.
  private mutating func mayVisit(_ old: Mirror, _ new: Mirror) -> Bool {
    let count = max(old.children.count, new.children.count)
    if count > visits { return false }
    visits -= count
    return true
  }

  private mutating func members(
    _ old: Mirror,
    _ new: Mirror,
    _ label: String?,
    _ name: String,
    _ depth: Int
  ) -> DumpDifference? {
    let (before, after) = (ValueReader.members(of: old), ValueReader.members(of: new))
    guard !after.isEmpty, before.map(\.label) == after.map(\.label) else { return nil }
    let differences = zip(before, after).map { old, new in
      compare(old.value, new.value, label: new.label, depth: depth + 1)
    }
    return whole(label, name, .round, differences)
  }

  private mutating func objects(
    _ old: Any,
    _ new: Any,
    _ one: Mirror,
    _ other: Mirror,
    _ label: String?,
    _ depth: Int
  ) -> DumpDifference? {
    let pair = [ObjectIdentifier(old as AnyObject), ObjectIdentifier(new as AnyObject)]
    guard !(new is any Actor), pair[0] != pair[1], pairs.insert(pair).inserted else { return nil }
    return members(one, other, label, "\(type(of: new))", depth)
  }

  private mutating func payloads(_ old: Mirror, _ new: Mirror, _ label: String?, _ depth: Int) -> DumpDifference? {
    guard let before = old.children.first, let after = new.children.first, before.label == after.label else {
      return nil
    }
    let name = ".\(after.label ?? "")"
    let (one, other) = (Mirror(reflecting: before.value), Mirror(reflecting: after.value))
    if other.displayStyle == .tuple { return members(one, other, label, name, depth) }
    return whole(label, name, .round, [compare(before.value, after.value, label: nil, depth: depth + 1)])
  }

  /// A difference that lists the changed parts and counts the others, or `nil` if no part has changed.
  private func whole(
    _ label: String?,
    _ name: String,
    _ brackets: DumpNode.Group.Brackets,
    _ differences: [DumpDifference?],
    notCompared: Int = 0
  ) -> DumpDifference? {
    var changes: [DumpDifference.Change] = []
    var unchanged = 0
    for difference in differences {
      guard let difference else {
        unchanged += 1
        continue
      }
      if unchanged > 0 { changes.append(.unchanged(unchanged)) }
      unchanged = 0
      changes.append(.changed(difference))
    }
    if changes.isEmpty { return nil }
    if unchanged > 0 { changes.append(.unchanged(unchanged)) }
    if notCompared > 0 { changes.append(.notCompared(notCompared)) }
    return .inside(label: label, name: name, brackets, changes)
  }

  // MARK: Collections

  /// The removed and inserted elements, and the differences inside elements that replace others.
  private mutating func elements(_ old: [Any], _ new: [Any], _ label: String?, _ depth: Int) -> DumpDifference? {
    let start = zip(old, new).prefix { areSame($0, $1, depth + 1) }.count
    let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { areSame($0, $1, depth + 1) }.count
    let (gone, come) = (Array(oldRest.dropLast(end)), Array(newRest.dropLast(end)))
    let same = [DumpDifference?](repeating: nil, count: start)
    let sameAtEnd = [DumpDifference?](repeating: nil, count: end)
    // The search for the shortest edit takes time proportional to the product of both lengths, and comparing values by
    // reflection is slow.
    let most = (gone.first ?? come.first) is any Equatable ? 250_000 : 10_000
    if gone.count * come.count <= most, max(gone.count, come.count) <= 10_000 {
      return whole(label, "", .square, same + shortest(gone, come, start, depth) + sameAtEnd)
    }
    let paired = paired(gone, come, start, depth)
    let notCompared = max(gone.count, come.count) - paired.count
    return whole(label, "", .square, same + paired + (notCompared > 0 ? [] : sameAtEnd), notCompared: notCompared)
  }

  /// Compares elements at equal indices, until the number of differences reaches the limit.
  private mutating func paired(_ old: [Any], _ new: [Any], _ start: Int, _ depth: Int) -> [DumpDifference?] {
    var differences: [DumpDifference?] = []
    var found = 0
    for index in 0..<max(old.count, new.count) where found < limits.elements {
      let label = "[\(start + index)]"
      if index >= old.count {
        differences.append(.replaced(nil, part(label, new[index])))
      } else if index >= new.count {
        differences.append(.replaced(part(label, old[index]), nil))
      } else {
        differences.append(compare(old[index], new[index], label: label, depth: depth + 1))
      }
      if case .some(.some) = differences.last { found += 1 }
    }
    return differences
  }

  private mutating func shortest(_ old: [Any], _ new: [Any], _ start: Int, _ depth: Int) -> [DumpDifference?] {
    let difference = new.difference(from: old) { areSame($0, $1, depth + 1) }
    let gone = Set(difference.removals.map(offset))
    let come = Set(difference.insertions.map(offset))
    var differences: [DumpDifference?] = []
    var (one, other) = (0, 0)
    while one < old.count || other < new.count {
      let (isGone, isCome) = (gone.contains(one), come.contains(other))
      if isGone && isCome {
        differences.append(compare(old[one], new[other], label: "[\(start + other)]", depth: depth + 1))
      } else if isGone {
        differences.append(.replaced(part("[\(start + one)]", old[one]), nil))
      } else if isCome {
        differences.append(.replaced(nil, part("[\(start + other)]", new[other])))
      } else {
        differences.append(nil)
      }
      if isGone || !isCome { one += 1 }
      if isCome || !isGone { other += 1 }
    }
    return differences
  }

  private func offset(of change: CollectionDifference<Any>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  private func text(of value: Any) -> String { part(nil, value).lines(width: .max).joined() }

  private mutating func keyed(
    _ old: [AnyHashable: Any],
    _ new: [AnyHashable: Any],
    _ label: String?,
    _ depth: Int
  ) -> DumpDifference? {
    var names = DistinctNames()
    let known = old.keys.map { (name: names.name(text(of: $0.base)), key: $0) }
    let added = new.keys.filter { old[$0] == nil }.map { (name: names.name(text(of: $0.base)), key: $0) }
    let keys = (known + added).sorted { SortedText.inOrder($0.name, $1.name) }
    let differences = untilEnoughDiffer(keys) { name, key -> DumpDifference? in
      guard let before = old[key] else { return new[key].map { .replaced(nil, part(name, $0)) } }
      guard let after = new[key] else { return .replaced(part(name, before), nil) }
      return compare(before, after, label: name, depth: depth + 1)
    }
    return whole(label, "", .square, differences, notCompared: keys.count - differences.count)
  }

  private func sets(_ old: Mirror, _ new: Mirror, _ label: String?, _ depth: Int) -> DumpDifference? {
    let (before, after) = (texts(old), texts(new))
    let all = before.union(after).sorted(by: SortedText.inOrder)
    let differences = untilEnoughDiffer(all) { text -> DumpDifference? in
      if !before.contains(text) { return .replaced(nil, .init(label: nil, node: .leaf(text))) }
      return after.contains(text) ? nil : .replaced(.init(label: nil, node: .leaf(text)), nil)
    }
    return whole(label, "", .square, differences, notCompared: all.count - differences.count)
  }

  /// Compares one name after another, until the number of differences reaches the limit.
  private func untilEnoughDiffer<Name>(_ names: [Name], _ compare: (Name) -> DumpDifference?) -> [DumpDifference?] {
    var differences: [DumpDifference?] = []
    var found = 0
    for name in names where found < limits.elements {
      let difference = compare(name)
      if difference != nil { found += 1 }
      differences.append(difference)
    }
    return differences
  }

  private func texts(_ mirror: Mirror) -> Set<String> {
    var names = DistinctNames()
    return Set(mirror.children.map { names.name(text(of: $0.value)) })
  }
}

/// Gives distinct names to distinct values that have the same text.
private struct DistinctNames {
  private var counts: [String: Int] = [:]

  mutating func name(_ text: String) -> String {
    counts[text, default: 0] += 1
    return counts[text] == 1 ? text : "\(text) (\(counts[text] ?? 0))"
  }
}
