/// The types of actions, and whether they are irreversible.
///
/// Finding out whether a type conforms to a protocol takes longer than looking it up.
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
