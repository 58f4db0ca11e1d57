/// Determines whether two values are certainly the same.
///
/// The search ends at the first part that differs or cannot be compared. Values are the same in these cases:
///
/// - They are equal according to their own `==`.
/// - They have the same bits.
/// - They have the same type, and all their parts are the same. If their own `==` says that they differ, one of the
///   parts must also be unequal to itself, such as NaN. Otherwise, that `==` compares something that the parts do not
///   show.
///
/// Functions have no parts in this sense. Neither do types with a custom mirror, because the mirror may hide parts.
struct ValueSameness {
  enum Subject {
    /// Objects are the same if they are identical.
    case identities
    /// Objects are also the same if their stored properties are.
    case contents
  }

  private let subject: Subject
  /// The number of nested levels that remain.
  private var levels: Int
  /// The number of parts that the search may still visit.
  private(set) var visits: Int
  /// The pairs of objects whose comparison has begun.
  ///
  /// The search ends at the first difference, so no difference has been found in a pair that recurs.
  private var pairs: Set<[ObjectIdentifier]> = []
  /// Whether the search has found a part that is not equal to itself, and has the same bits in both values.
  private var hasUnequalPart = false

  init(of subject: Subject, levels: Int, visits: Int = .max) {
    self.visits = visits
    self.subject = subject
    self.levels = levels
  }

  mutating func areSame(_ old: Any, _ new: Any) -> Bool {
    let areEqual = Self.areEqual(old, new)
    if areEqual == true { return true }
    guard type(of: old) == type(of: new) else { return false }
    if Self.haveSameBits(old, new) {
      if areEqual == false { hasUnequalPart = true }
      return true
    }
    if levels <= 0 || visits <= 0 { return false }
    visits -= 1
    let hadUnequalPart = hasUnequalPart
    (levels, hasUnequalPart) = (levels - 1, false)
    defer { (levels, hasUnequalPart) = (levels + 1, hasUnequalPart || hadUnequalPart) }
    return haveSameParts(old, new) && (areEqual == nil || hasUnequalPart)
  }

  /// Compares two values by their own `==`, or returns `nil` if they have none.
  static func areEqual(_ old: Any, _ new: Any) -> Bool? {
    func open<Value: Equatable>(_ old: Value) -> Bool { old == new as? Value }
    if let old = old as? any Equatable { return open(old) }
    return nil
  }

  private static func haveSameBits(_ old: Any, _ new: Any) -> Bool {
    func open<Value>(_ old: Value) -> Bool {
      (new as? Value).map { ActorStore.haveSameBits(old, $0) } ?? false
    }
    return _openExistential(old, do: open)
  }

  // MARK: Parts

  private mutating func haveSameParts(_ old: Any, _ new: Any) -> Bool {
    if Self.mayHideParts(old) { return false }
    let (one, other) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard one.displayStyle == other.displayStyle else { return false }
    switch one.displayStyle {
    case .struct, .tuple:
      return haveSameMembers(one, other)
    case .class:
      guard subject == .contents, !(old is any Actor) else { return false }
      let pair = [ObjectIdentifier(old as AnyObject), ObjectIdentifier(new as AnyObject)]
      return !pairs.insert(pair).inserted || haveSameMembers(one, other)
    case .optional, .enum:
      guard let before = one.children.first, let after = other.children.first else {
        return one.children.isEmpty && other.children.isEmpty && isSameCase(old, new)
      }
      return before.label == after.label && areSame(before.value, after.value)
    case .collection:
      guard one.children.count == other.children.count else { return false }
      return zip(one.children, other.children).allSatisfy { areSame($0.value, $1.value) }
    case .dictionary:
      guard one.children.count <= visits, let old = Self.entries(of: one), let new = Self.entries(of: other),
        old.count == new.count
      else { return false }
      return old.allSatisfy { key, old in new[key].map { areSame(old, $0) } ?? false }
    default:
      return false
    }
  }

  /// Compares members.
  ///
  /// Values without members may have content that reflection does not show, so they are not the same.
  private mutating func haveSameMembers(_ old: Mirror, _ new: Mirror) -> Bool {
    let (before, after) = (ValueReader.members(of: old), ValueReader.members(of: new))
    guard !before.isEmpty, before.map(\.label) == after.map(\.label) else { return false }
    return zip(before, after).allSatisfy { areSame($0.value, $1.value) }
  }

  /// Compares two cases without payloads, whose bits may differ.
  private func isSameCase(_ old: Any, _ new: Any) -> Bool {
    // A description can be the same for distinct cases.
    !(old is any CustomStringConvertible) && "\(old)" == "\(new)"
  }

  /// Whether the type has a custom mirror and is not a type of the standard library.
  private static func mayHideParts(_ value: Any) -> Bool {
    value is any CustomReflectable && !String(reflecting: type(of: value)).hasPrefix("Swift.")
  }

  /// The entries of a dictionary, or `nil` if its keys are not `Hashable` on this thread.
  static func entries(of mirror: Mirror) -> [AnyHashable: Any]? {
    var entries: [AnyHashable: Any] = [:]
    for child in mirror.children {
      let pair = Array(Mirror(reflecting: child.value).children.map(\.value))
      guard pair.count == 2, let key = pair[0] as? AnyHashable else { return nil }
      entries[key] = pair[1]
    }
    return entries
  }
}
