/// A cache of the types of actions, with whether each type is irreversible.
///
/// A lookup here is faster than a check whether a type conforms to a protocol.
struct IrreversibleTypes: Sendable {
  private var last: (type: ObjectIdentifier, isIrreversible: Bool)?
  private var all: [ObjectIdentifier: Bool] = [:]

  /// Whether a type is irreversible, or `nil` if it is not known yet.
  mutating func contains(_ type: ObjectIdentifier) -> Bool? {
    if let last, last.type == type { return last.isIrreversible }
    guard let isIrreversible = all[type] else { return nil }
    last = (type, isIrreversible)
    return isIrreversible
  }

  mutating func set(_ type: ObjectIdentifier, isIrreversible: Bool) { all[type] = isIrreversible }
}
