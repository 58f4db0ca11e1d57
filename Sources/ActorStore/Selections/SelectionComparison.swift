/// How a store decides that a selected value repeats the one before, for `Store.select(_:_:)`.
///
/// For `Equatable` values, `Store.select(_:)` compares with `==`, so you need this type only for other values, and for
/// a comparison of your own.
public struct SelectionComparison<Value: Sendable>: Sendable {
  /// The comparison, or `nil` if each value counts as a change.
  let equality: Equality?

  /// Each computed value counts as a change, even if it is the same.
  ///
  /// A commit computes a key path or a closure. It computes a selection with inputs only if one of them has changed.
  public static var always: SelectionComparison { SelectionComparison(equality: nil) }

  /// Compares values with a closure.
  ///
  /// Each stream, observation, and mirror starts with the current value. An atom has the last value that was not a
  /// repeat. All atoms of one selection with one comparison share that value, so a new atom can start with a former
  /// one.
  ///
  /// The library cannot compare closures, so each call creates another comparison. For atoms, keep the comparison in a
  /// constant. Otherwise, each call of `by` leads to another atom.
  ///
  /// - Parameter isSame: A closure that returns whether the second value repeats the first, which is the last value
  ///   that was not a repeat. Each stream, observation, and mirror calls it like the filter of
  ///   ``Store/states(bufferingPolicy:shouldUpdate:)``. A buffering policy drops values before the call, so repeats can
  ///   take up room in a buffer. For atoms, the committing task calls the closure at most once per commit.
  public static func by(
    _ isSame: @escaping @Sendable (_ last: Value, _ new: Value) -> Bool
  ) -> SelectionComparison {
    SelectionComparison(equality: ClosureEquality(isSame))
  }
}
