/// Returns whether the new value repeats the old one.
///
/// See ``areSameThoughUnequal(_:_:)`` for values such as NaN.
func isUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old == new || areSameThoughUnequal(old, new)
}

/// Returns whether two unequal values are nevertheless the same, because the value is not equal to itself.
///
/// Comparing only their memory would fail. In optimized code, the unused bytes of a structure with a `Bool` and a
/// `Double` differ from one copy to the next.
///
/// For a value that is equal to itself, the cost is one more comparison. Other values are compared by reflection.
@inlinable
package func areSameThoughUnequal<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  new != new && areSameByReflection(old, new)
}

/// Returns whether all parts of two values are the same, and all objects in them are identical.
@usableFromInline
@inline(never)  // HP2
package func areSameByReflection(_ old: Any, _ new: Any) -> Bool {
  var comparison = ValueComparison(Dump.Limits(parts: .max), objects: .byIdentity, describes: false)
  return comparison.compare(old, new).isSame
}
