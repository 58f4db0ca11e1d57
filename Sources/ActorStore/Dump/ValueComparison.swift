/// Finds the differences between two values, in one walk over their parts.
///
/// Two parts are the same in these cases:
///
/// - They are equal according to their own `==`.
/// - They have the same bits.
/// - They have the same type, and all their parts are the same. If their own `==` says that they differ, one of the
///   parts must also be unequal to itself, such as NaN. Otherwise, that `==` compares something that the parts do not
///   show.
///
/// In this sense, functions have no parts. A type with a custom mirror has none either, because the mirror may hide
/// parts.
struct ValueComparison {
  /// The rule by which two objects are the same.
  enum Objects: Sendable {
    case byIdentity
    /// Objects with the same stored properties are also the same.
    case byContents
  }

  enum Verdict: Sendable {
    case same
    /// The values are the same, although one of their parts is not equal to itself.
    case sameThoughUnequal
    /// The difference, or `nil` in a comparison that describes nothing.
    case different(DumpDifference?)

    var isSame: Bool { if case .different = self { false } else { true } }
  }

  private let limits: Dump.Limits
  private let objects: Objects
  /// Whether to describe the differences, instead of only detecting them.
  private var describes: Bool
  /// The number of parts that the comparison may still compare.
  private var parts: Int
  private var reader: ValueReader
  /// The pairs of objects whose contents have shown no difference so far, so that cycles end.
  private var pairs: Set<[ObjectIdentifier]> = []

  init(_ limits: Dump.Limits, objects: Objects = .byContents, describes: Bool = true) {
    self.limits = limits
    self.objects = objects
    self.describes = describes
    parts = limits.parts
    reader = ValueReader(limits)
  }

  mutating func compare(_ old: Any, _ new: Any) -> Verdict { compare(old, new, label: nil, depth: 0) }

  private mutating func compare(_ old: Any, _ new: Any, label: String?, depth: Int) -> Verdict {
    parts -= 1
    let areEqual = Self.areEqual(old, new)
    if areEqual == true { return .same }
    if type(of: old) == type(of: new) {
      if Self.haveSameBits(old, new) { return areEqual == nil ? .same : .sameThoughUnequal }
      switch depth < limits.depth && !ValueReader.isNumber(old) ? inside(old, new, label, depth) : nil {
      case .same? where areEqual == nil && !Self.mayHideParts(old): return .same
      case .sameThoughUnequal? where !Self.mayHideParts(old): return .sameThoughUnequal
      case .different(let difference)?: return .different(difference)
      case .same?, .sameThoughUnequal?, nil: break
      }
    }
    return .different(describes ? replacement(old, new, label, areEqual) : nil)
  }

  /// Compares two values by their own `==`, or returns `nil` if they have none.
  private static func areEqual(_ old: Any, _ new: Any) -> Bool? {
    func open<Value: Equatable>(_ old: Value) -> Bool { old == new as? Value }
    // On some platforms, casting a collection to a class converts it. Objects of different classes may be equal.
    guard type(of: old) == type(of: new) || type(of: old) is AnyClass && type(of: new) is AnyClass else { return nil }
    if let old = old as? any Equatable { return open(old) }
    return nil
  }

  private static func haveSameBits(_ old: Any, _ new: Any) -> Bool {
    func open<Value>(_ old: Value) -> Bool {
      (new as? Value).map { ActorStore.haveSameBits(old, $0) } ?? false
    }
    return _openExistential(old, do: open)
  }

  /// Whether the type has a custom mirror and is not a type of the standard library.
  private static func mayHideParts(_ value: Any) -> Bool {
    value is any CustomReflectable && !String(reflecting: type(of: value)).hasPrefix("Swift.")
  }

  // MARK: Text

  /// The difference between two values as a whole.
  private mutating func replacement(_ old: Any, _ new: Any, _ label: String?, _ areEqual: Bool?) -> DumpDifference {
    if let (before, after) = excerpts(old, new) {
      return .replaced(.init(label: label, node: .leaf(before)), .init(label: label, node: .leaf(after)))
    }
    let (before, after) = (part(label, old), part(label, new))
    if before != after { return .replaced(before, after) }
    return .unseen(after, areEqual == nil ? .notCompared : .notEqual)
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

  private mutating func part(_ label: String?, _ value: Any) -> DumpNode.Part {
    DumpNode.Part(label: label, node: reader.read(value))
  }

  // MARK: Inside

  /// The verdict on the parts of two values of the same type, or `nil` if they cannot be compared part by part.
  private mutating func inside(_ old: Any, _ new: Any, _ label: String?, _ depth: Int) -> Verdict? {
    let (one, other) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard one.displayStyle == other.displayStyle else { return nil }
    switch one.displayStyle {
    case .struct, .tuple:
      return members(one, other, label, one.displayStyle == .tuple ? "" : "\(type(of: new))", depth)
    case .class:
      return objects(old, new, one, other, label, depth)
    case .optional:
      if one.children.isEmpty && other.children.isEmpty { return .same }
      guard let old = one.children.first?.value, let new = other.children.first?.value else { return nil }
      return compare(old, new, label: label, depth: depth)
    case .enum:
      return payloads(old, new, one, other, label, depth)
    case .collection:
      return elements(one, other, label, depth)
    case .dictionary:
      guard let old = old as? any DumpedDictionary else { return elements(one, other, label, depth) }
      return entries(old, new, label, depth)
    case .set:
      guard let old = old as? any DumpedSet else { return elements(one, other, label, depth) }
      return setElements(old, new, label)
    default:
      return nil
    }
  }

  /// Compares members.
  ///
  /// Values without members may have content that reflection does not show, so they never count as the same.
  private mutating func members(
    _ old: Mirror, _ new: Mirror, _ label: String?, _ name: String, _ depth: Int
  ) -> Verdict? {
    let (before, after) = (ValueReader.members(of: old), ValueReader.members(of: new))
    guard !after.isEmpty, before.map(\.label) == after.map(\.label) else { return nil }
    var changes = Changes()
    for (old, new) in zip(before, after) where mayGoOn(&changes) {
      changes.add(compare(old.value, new.value, label: new.label, depth: depth + 1))
    }
    return verdict(changes, label, name, .round)
  }

  private mutating func objects(
    _ old: Any, _ new: Any, _ one: Mirror, _ other: Mirror, _ label: String?, _ depth: Int
  ) -> Verdict? {
    let pair = [ObjectIdentifier(old as AnyObject), ObjectIdentifier(new as AnyObject)]
    guard objects == .byContents, !(new is any Actor), pair[0] != pair[1] else { return nil }
    if !pairs.insert(pair).inserted { return .same }
    let verdict = members(one, other, label, "\(type(of: new))", depth)
    if verdict?.isSame != true { pairs.remove(pair) }
    return verdict
  }

  private mutating func payloads(
    _ old: Any, _ new: Any, _ one: Mirror, _ other: Mirror, _ label: String?, _ depth: Int
  ) -> Verdict? {
    guard let before = one.children.first, let after = other.children.first else {
      // The same case without a payload may have different bits, and distinct cases may have the same description.
      let areSame = one.children.isEmpty && other.children.isEmpty && !(old is any CustomStringConvertible)
      return areSame && "\(old)" == "\(new)" ? .same : nil
    }
    guard before.label == after.label else { return nil }
    let name = ".\(after.label ?? "")"
    let (inner, otherInner) = (Mirror(reflecting: before.value), Mirror(reflecting: after.value))
    if otherInner.displayStyle == .tuple { return members(inner, otherInner, label, name, depth) }
    var changes = Changes()
    changes.add(compare(before.value, after.value, label: nil, depth: depth + 1))
    return verdict(changes, label, name, .round)
  }

  // MARK: Changes

  /// The verdicts on the parts of two values, in order.
  private struct Changes {
    private var list: [DumpDifference.Change] = []
    var isUnequal = false
    /// The number of parts that differ.
    private(set) var found = 0
    private(set) var isWhole = true
    private(set) var unchanged = 0

    mutating func add(_ verdict: Verdict) {
      switch verdict {
      case .same: unchanged += 1
      case .sameThoughUnequal: (unchanged, isUnequal) = (unchanged + 1, true)
      case .different(let difference):
        found += 1
        if let difference { add(.changed(difference)) }
      }
    }

    mutating func add(unchanged count: Int) { unchanged += count }

    mutating func add(_ change: DumpDifference.Change) {
      flush()
      list.append(change)
    }

    /// Records that the limit of parts has ended the comparison.
    mutating func end() { isWhole = false }

    /// All changes, with the number of unchanged parts at the end.
    mutating func finish() -> [DumpDifference.Change] {
      flush()
      return list + (isWhole ? [] : [.more])
    }

    private mutating func flush() {
      if unchanged > 0 { list.append(.unchanged(unchanged)) }
      unchanged = 0
    }
  }

  /// Returns whether the comparison continues with the next part.
  private func mayGoOn(_ changes: inout Changes) -> Bool {
    if parts <= 0 { changes.end() }
    return parts > 0 && (describes || changes.found == 0)
  }

  private func verdict(
    _ changes: Changes, _ label: String?, _ name: String, _ brackets: DumpNode.Group.Brackets
  ) -> Verdict {
    if changes.found == 0 && changes.isWhole { return changes.isUnequal ? .sameThoughUnequal : .same }
    if !describes { return .different(nil) }
    var changes = changes
    return .different(.inside(label: label, name: name, brackets, changes.finish()))
  }

  // MARK: Collections in order

  /// Finds the removed and inserted elements, and the differences inside elements that replace others.
  private mutating func elements(_ one: Mirror, _ other: Mirror, _ label: String?, _ depth: Int) -> Verdict {
    let counts = (old: one.children.count, new: other.children.count)
    if !describes && counts.old != counts.new { return .different(nil) }
    // Comparing more elements would exceed the limit.
    let old = one.children.prefix(parts).map(\.value)
    let new = other.children.prefix(parts).map(\.value)
    var changes = Changes()
    var start = 0
    while start < min(old.count, new.count), mayGoOn(&changes) {
      let verdict = sameness(old[start], new[start], depth + 1)
      if !verdict.isSame { break }
      changes.add(verdict)
      start += 1
    }
    if start < max(counts.old, counts.new), mayGoOn(&changes) {
      if !describes { return .different(nil) }
      // Without the last elements, the collections have no known common end.
      let isWhole = old.count == counts.old && new.count == counts.new
      let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
      let end = isWhole ? commonEnd(oldRest, newRest, depth) : 0
      let (gone, come) = (Array(oldRest.dropLast(end)), Array(newRest.dropLast(end)))
      if isWhole, mayFindShortest(gone, come) {
        addShortest(gone, come, start, depth, to: &changes)
        changes.add(unchanged: end)
      } else {
        addPairs(gone, come, max(counts.old, counts.new) - end, start, depth, to: &changes)
        if changes.isWhole, changes.found < limits.elements { changes.add(unchanged: end) }
      }
    }
    return verdict(changes, label, "", .square)
  }

  /// Compares two values without a description.
  private mutating func sameness(_ old: Any, _ new: Any, _ depth: Int) -> Verdict {
    let describes = describes
    self.describes = false
    defer { self.describes = describes }
    return compare(old, new, label: nil, depth: depth)
  }

  private mutating func commonEnd(_ old: ArraySlice<Any>, _ new: ArraySlice<Any>, _ depth: Int) -> Int {
    var count = 0
    for (old, new) in zip(old.reversed(), new.reversed()) {
      guard parts > 0, sameness(old, new, depth + 1).isSame else { break }
      count += 1
    }
    return count
  }

  /// Whether the search for the shortest edit may run.
  ///
  /// It takes time proportional to the product of both lengths, and comparing values by reflection is slow.
  private func mayFindShortest(_ old: [Any], _ new: [Any]) -> Bool {
    let most = (old.first ?? new.first) is any Equatable ? 250_000 : 10_000
    return old.count * new.count <= min(most, parts) && max(old.count, new.count) <= 10_000
  }

  private mutating func addShortest(
    _ old: [Any], _ new: [Any], _ start: Int, _ depth: Int, to changes: inout Changes
  ) {
    let difference = new.difference(from: old) { sameness($0, $1, depth + 1).isSame }
    let gone = Set(difference.removals.map(offset))
    let come = Set(difference.insertions.map(offset))
    var (one, other) = (0, 0)
    while one < old.count || other < new.count, mayGoOn(&changes) {
      let (isGone, isCome) = (gone.contains(one), come.contains(other))
      if isGone && isCome {
        changes.add(compare(old[one], new[other], label: "[\(start + other)]", depth: depth + 1))
      } else if isGone {
        changes.add(.different(.replaced(part("[\(start + one)]", old[one]), nil)))
      } else if isCome {
        changes.add(.different(.replaced(nil, part("[\(start + other)]", new[other]))))
      } else {
        changes.add(.same)
      }
      if isGone || !isCome { one += 1 }
      if isCome || !isGone { other += 1 }
    }
  }

  private func offset(of change: CollectionDifference<Any>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  /// Compares elements at equal indices, until the number of differences reaches the limit.
  ///
  /// - Parameter end: The number of elements of the longer collection that precede the common end.
  private mutating func addPairs(
    _ old: [Any], _ new: [Any], _ end: Int, _ start: Int, _ depth: Int, to changes: inout Changes
  ) {
    for index in 0..<max(old.count, new.count) {
      if changes.found >= limits.elements { return changes.add(.notCompared(end - start - index)) }
      if !mayGoOn(&changes) { return }
      let label = "[\(start + index)]"
      if index >= old.count {
        changes.add(.different(.replaced(nil, part(label, new[index]))))
      } else if index >= new.count {
        changes.add(.different(.replaced(part(label, old[index]), nil)))
      } else {
        changes.add(compare(old[index], new[index], label: label, depth: depth + 1))
      }
    }
    if max(old.count, new.count) < end - start { changes.end() }
  }

  // MARK: Collections in any order

  private mutating func entries(
    _ old: any DumpedDictionary, _ new: Any, _ label: String?, _ depth: Int
  ) -> Verdict {
    var (changes, unchanged) = (Changes(), Changes())
    var changed: [(key: Any, old: Any?, new: Any?)] = []
    old.forEachKey(with: new) { key, before, after in
      if !mayGoOn(&unchanged) { return false }
      if let before, let after {
        let verdict = sameness(before, after, depth + 1)
        unchanged.add(verdict.isSame ? verdict : .different(nil))
        if verdict.isSame { return true }
      } else {
        parts -= 1
        unchanged.add(.different(nil))
      }
      changed.append((key, before, after))
      return true
    }
    if !describes { return verdict(unchanged, label, "", .square) }
    for (name, entry) in named(changed, by: \.key) {
      let (before, after) = (entry.old, entry.new)
      if let before, let after {
        changes.add(compare(before, after, label: name, depth: depth + 1))
      } else {
        changes.add(.different(.replaced(before.map { part(name, $0) }, after.map { part(name, $0) })))
      }
    }
    return verdict(changes, of: changed.count, unchanged, label)
  }

  private mutating func setElements(_ old: any DumpedSet, _ new: Any, _ label: String?) -> Verdict {
    var (changes, unchanged) = (Changes(), Changes())
    var changed: [(element: Any, isNew: Bool)] = []
    old.forEachElement(with: new) { element, isOld, isNew in
      if !mayGoOn(&unchanged) { return false }
      parts -= 1
      unchanged.add(isOld && isNew ? .same : .different(nil))
      if isOld != isNew { changed.append((element, isNew)) }
      return true
    }
    if !describes { return verdict(unchanged, label, "", .square) }
    for (name, change) in named(changed, by: \.element) {
      let part = DumpNode.Part(node: .leaf(name))
      changes.add(.different(change.isNew ? .replaced(nil, part) : .replaced(part, nil)))
    }
    return verdict(changes, of: changed.count, unchanged, label)
  }

  /// The first changes, in the order of their texts, each with a unique text.
  private mutating func named<Change>(_ changes: [Change], by key: (Change) -> Any) -> [(String, Change)] {
    var counts: [String: Int] = [:]
    let named = changes.map { change in
      let text = reader.name(of: key(change))
      counts[text, default: 0] += 1
      let count = counts[text] ?? 1
      let name = count == 1 ? text : "\(text) (\(count))"
      return (order: SortedText(name), name: name, change: change)
    }
    return named.sorted { $0.order < $1.order }.prefix(limits.elements).map { ($0.name, $0.change) }
  }

  /// The verdict on unordered parts, with the shown changes, the number of other changes, and the number of unchanged
  /// parts.
  private func verdict(_ shown: Changes, of count: Int, _ unchanged: Changes, _ label: String?) -> Verdict {
    var changes = shown
    if count > shown.found { changes.add(.omitted(count - shown.found)) }
    changes.add(unchanged: unchanged.unchanged)
    if !unchanged.isWhole { changes.end() }
    changes.isUnequal = unchanged.isUnequal
    return verdict(changes, label, "", .square)
  }
}
