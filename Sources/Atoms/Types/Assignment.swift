/// What was assigned last to an atom whose value a closure computes from it.
enum Assignment<Value: Sendable>: Sendable {
  /// Nothing, so the atom has the value that the closure computes.
  case none
  /// A value for a reset, which no closure transforms.
  case initial(Value)
  /// A value that the atom was set to.
  case set(Value)
}

extension Assignment: Equatable where Value: Equatable {}
