import ActorStore

extension History {
  /// Whether actions of a type can be moves of this history.
  ///
  /// Each commit asks this first, because comparing the identifiers of types is faster than a cast.
  func isMove<A: Action<State>>(_ type: A.Type) -> Bool {
    let id = ObjectIdentifier(type)
    return id == moveTypes.0 || id == moveTypes.1 || id == moveTypes.2
  }

  /// The action as a move of this history, or `nil` if it is another action.
  func move<A: Action<State>>(_ action: A) -> HistoryStateMachine.Move? {
    if let move = action as? HistoryMove<State>, move.history === self { return move.move }
    if let jump = action as? HistoryJump<State>, jump.history === self { return jump.move }
    return nil
  }

  /// The action as a restoration of this history, or `nil` if it is another action.
  func restoration<A: Action<State>>(_ action: A) -> HistoryRestoration<State>? {
    guard let restoration = action as? HistoryRestoration<State>, restoration.history === self else { return nil }
    return restoration
  }
}
