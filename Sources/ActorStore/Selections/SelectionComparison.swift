/// How a store decides that a selected value repeats the one before, for `Store.select(_:_:)`.
///
/// For `Equatable` values, `Store.select(_:)` compares with `==`, so you need this type only for other values, and for
/// a comparison of your own.
public struct SelectionComparison<Value: Sendable>: Sendable {
  /// The comparison, or `nil` if each value counts as a change.
  let equality: Equality?

  /// Each commit counts as a change, even if the value is the same.
  ///
  /// A selection that is computed from others counts as changed when it is computed again, so when one of its inputs
  /// has changed.
  public static var always: SelectionComparison { SelectionComparison(equality: nil) }

  /// Compares values with a closure.
  ///
  /// A consumer starts with the current value. Atoms share the last value that was not a repeat.
  ///
  /// - Parameter isSame: A closure that returns whether the second value repeats the first, which is the last value
  ///   that was not a repeat. Each stream, observation, and mirror calls it like the filter of
  ///   ``Store/states(bufferingPolicy:shouldUpdate:)``. For atoms, the committing task calls it once per commit.
  public static func by(
    _ isSame: @escaping @Sendable (_ last: Value, _ new: Value) -> Bool
  ) -> SelectionComparison {
    SelectionComparison(equality: ClosureEquality(isSame))
  }
}
