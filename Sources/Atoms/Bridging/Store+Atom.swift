public import ActorStore

extension Store {
  /// The part of the state at a key path, as an atom.
  ///
  /// ```swift
  /// let balanceAtom = account.atom(\.balance)
  /// let label = DerivedAtom { "\(balanceAtom.value) \(currencyAtom.value)" }
  /// ```
  ///
  /// In every `AtomStore`, the atom has the committed value. The committing task reads the key path in its turn, once
  /// per commit, and all atoms of one store change in one revision. After a `dispatch` has returned, reads see its
  /// change. So a value that is derived from atoms of several stores never mixes two commits of one store. Inside an
  /// action, the atom has the committed value, not the draft.
  ///
  /// Equal key paths give the same atom while it is in use. Its label names the call that created it. The atom does not
  /// keep the store alive. After the store is gone, the last value remains.
  ///
  /// If a mutation on another thread edits the state in place at the moment of the call, the call waits until the end
  /// of that edit. A mutation must not make an atom of a store, because two mutations that make atoms of each other's
  /// stores would deadlock. A guard can make one.
  ///
  /// - Parameters:
  ///   - path: The key path of the value. Keep computed properties short.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  /// - Returns: An atom that can only be read.
  public nonisolated func atom<Value: Sendable>(
    _ path: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> DerivedAtom<Value> {
    let family = link.family {
      AtomFamily { [weak self] (path: SelectionPath<State, Value>) in
        // The caller of the family holds the store.
        guard let self else { preconditionFailure("Atoms: a store was used after it was released.") }
        return DerivedAtom(definition: self.selection(of: path.path, path.fileID, path.line))
      }
    }
    return family(SelectionPath(path: path, fileID: fileID, line: line))
  }

  /// The part of the state at a key path, as an atom that sends an action when it is set.
  ///
  /// ```swift
  /// let nameAtom = profile.atom(\.name) { $0.name = $1 }
  /// nameAtom.value = "Ada"
  /// ```
  ///
  /// It reads like ``atom(_:fileID:line:)``. If the store is gone, setting the atom has no effect. A transaction sends
  /// one mutation to the store after it commits, with the last value of each of the store's atoms that it has set.
  ///
  /// Each call creates another atom, so keep the result.
  ///
  /// - Parameters:
  ///   - path: The key path of the value.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - set: A closure that changes the state to have the value. It is sent as a mutation.
  /// - Returns: An atom that can be read and set.
  public nonisolated func atom<Value: Sendable>(
    _ path: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    set: @escaping @Sendable (inout State, Value) -> Void
  ) -> StoreAtom<Value> {
    StoreAtom(
      definition: selection(of: path, fileID, line) { value in .mutation { set(&$0, value) } })
  }

  /// The part of the state at a key path, as an atom that sends an action when it is set.
  ///
  /// It is like ``atom(_:fileID:line:set:)``, but sends an action of your own. If a transaction sets such an atom
  /// together with other atoms of the store, it sends one transaction to the store, with all of their actions. If one
  /// of these actions fails or is vetoed, the store's state does not change.
  ///
  /// - Parameters:
  ///   - path: The key path of the value.
  ///   - fileID: The file for the label.
  ///   - line: The line for the label.
  ///   - action: A closure that makes the action for a value.
  /// - Returns: An atom that can be read and set.
  public nonisolated func atom<Value: Sendable, A: Action<State>>(
    _ path: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    sending action: @escaping @Sendable (Value) -> A
  ) -> StoreAtom<Value> {
    StoreAtom(
      definition: selection(of: path, fileID, line) { value in .action(action(value)) })
  }

  private nonisolated var link: StoreLink<State> { attachment { StoreLink(self) } }

  private nonisolated func selection<Value: Sendable>(
    of path: any KeyPath<State, Value> & Sendable, _ file: StaticString, _ line: UInt,
    change: (@Sendable (Value) -> StoreChange<State>)? = nil
  ) -> SelectionDefinition<Value> {
    let link = link
    let reader = AtomReader()
    let node = SelectionNode(path, Equality.of(Value.self))
    let selected = SelectedDefinition<Value>(selectionUse(of: node, by: reader), by: reader)
    let setter = change.map { change in
      SelectionDefinition<Value>.Setter(change: { Published(change($0)) }, receiver: link.sender)
    }
    let definition = SelectionDefinition(file, line, selected, setter: setter)
    // Graphs get it after it knows the atom that it belongs to.
    link.follow(selected, of: self)
    return definition
  }
}
