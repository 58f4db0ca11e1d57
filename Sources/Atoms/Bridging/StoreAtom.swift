/// A part of a store's state that can be set.
///
/// `Selected.atom(set:)` and `Selected.atom(sending:)` create it. Setting the atom sends an action to the store. The
/// change becomes visible when the action has committed. So a read right after setting the atom can return the former
/// value, and ``WritableAtom/update(_:)`` can lose a change that another task commits in between. To compute a new
/// value from the state, dispatch an action.
public struct StoreAtom<Value: Sendable>: WritableAtom {
  /// The identity of the atom.
  public let definition: AtomDefinition<Value>

  /// Creates a copy of an atom from its identity.
  ///
  /// - Parameter definition: The identity of an atom of the same type.
  public init(definition: AtomDefinition<Value>) { self.definition = definition }
}
