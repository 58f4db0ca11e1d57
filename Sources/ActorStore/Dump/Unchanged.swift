/// Returns whether the new value repeats the old one.
///
/// See ``areSameThoughUnequal(_:_:)`` for values such as NaN.
func isUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old == new || areSameThoughUnequal(old, new)
}

/// Returns whether two values that are not equal are nevertheless the same value, because it is not equal to itself.
///
/// The obvious comparison of their memory alone fails. In optimized code, the unused bytes of a structure with a `Bool`
/// and a `Double` differ from one copy to the next.
///
/// The cost for a value that equals itself is one more comparison. Other values are compared by reflection.
package func areSameThoughUnequal<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  if new == new { return false }
  var sameness = ValueSameness(of: .identities, levels: Dump.Limits().depth)
  return sameness.areSame(old, new)
}
