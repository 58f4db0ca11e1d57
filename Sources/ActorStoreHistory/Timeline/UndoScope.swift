/// The part of a state that moves in time restore.
///
/// ```swift
/// let history = History<Editor>(scope: .part(\.document))
/// ```
///
/// With a part, an undo leaves the rest of the state alone, such as the navigation or a login. Commits that do not
/// change the part are recorded, but are no steps to undo, and do not drop steps to redo.
public struct UndoScope<State: Sendable>: Sendable {
  let restore: @Sendable (_ state: inout State, _ old: State) -> Void
  /// Whether a commit changes the part, or `nil` if each commit counts as a change.
  let isChange: (@Sendable (_ old: State, _ new: State) -> Bool)?

  /// The whole state.
  ///
  /// Each commit is a step.
  public static var whole: UndoScope { UndoScope(restore: { $0 = $1 }, isChange: nil) }

  /// The part of the state at a key path.
  ///
  /// Each commit compares the old part with the new one.
  public static func part<Part: Equatable & SendableMetatype>(
    _ path: any WritableKeyPath<State, Part> & Sendable
  ) -> UndoScope {
    UndoScope { state, old in
      state[keyPath: path] = old[keyPath: path]
    } isChange: { old, new in
      old[keyPath: path] != new[keyPath: path]
    }
  }
}
