public import ActorStore

extension Selected {
  /// The value, as an atom.
  ///
  /// ```swift
  /// let balanceAtom = account.select(\.balance).atom
  /// let label = DerivedAtom { "\(balanceAtom.value) \(currencyAtom.value)" }
  /// ```
  ///
  /// In every `AtomStore`, the atom has the committed value. With a `SelectionComparison`, it has the last value that
  /// was not a repeat. The committing task computes the value in its turn, at most once per commit for all consumers of
  /// the selection. All atoms of one store change in one revision. After a `dispatch` has returned, reads see its
  /// change. So a value that is derived from atoms of several stores never mixes two commits of one store. Inside an
  /// action, the atom has the committed value, not the draft.
  ///
  /// Equal selections with the same comparison give the same atom while it is in use. Its label names the call of
  /// `select` that created it. The atom does not keep the store alive. After the store is gone, the last value remains.
  /// After the last use, an `AtomStore` that has read the atom releases it at one of its next reads of new family
  /// members. Until then, commits compute the selection. An atom of the whole state, `store.select().atom`, holds the
  /// state, so the next mutation copies the collections that it changes.
  ///
  /// While a mutation on another thread edits the state in place, making an atom can wait until the end of that edit. A
  /// mutation must not make an atom of any store. For its own store, it can wait forever. Two mutations that make atoms
  /// of each other's stores can deadlock. A guard can make one.
  public var atom: DerivedAtom<Value> {
    let family = store.link.family {
      AtomFamily { [weak store] (selection: SelectionParameter<State, Value>) in
        // The caller of the family holds the store.
        guard let store else {
          preconditionFailure("Atoms: a store was used after it was released. This is a bug in Atoms.")
        }
        return DerivedAtom(definition: store.definition(of: selection.node, selection.callSite))
      }
    }
    return family(SelectionParameter(node: node, callSite: callSite))
  }

  /// The value, as an atom that sends a mutation when it is set.
  ///
  /// ```swift
  /// let nameAtom = profile.select(\.name).atom { $0.name = $1 }
  /// nameAtom.value = "Ada"
  /// ```
  ///
  /// Reading it is like reading ``atom``. If the store is gone, setting the atom has no effect. A transaction sends one
  /// mutation to the store after it commits, with the last value of each of the store's atoms that it has set.
  ///
  /// Each call creates another atom, so keep the result.
  ///
  /// - Parameter set: A closure that puts the value into the state. The atom sends it as a mutation.
  /// - Returns: An atom that can be read and set.
  public func atom(set: @escaping @Sendable (inout State, Value) -> Void) -> StoreAtom<Value> {
    StoreAtom(definition: store.definition(of: node, callSite) { value in .mutation { set(&$0, value) } })
  }

  /// The value, as an atom that sends an action when it is set.
  ///
  /// It is like ``atom(set:)``, but sends an action of your own. If a transaction sets such an atom together with other
  /// atoms of the store, it sends one transaction to the store, with all of their actions. If one of these actions
  /// fails or is vetoed, the store's state does not change.
  ///
  /// - Parameter action: A closure that makes the action for a value.
  /// - Returns: An atom that can be read and set.
  public func atom<A: Action<State>>(sending action: @escaping @Sendable (Value) -> A) -> StoreAtom<Value> {
    StoreAtom(definition: store.definition(of: node, callSite) { value in .action(action(value)) })
  }
}

extension Store {
  fileprivate nonisolated var link: StoreLink<State> { attachment { StoreLink(self) } }

  fileprivate nonisolated func definition<Value: Sendable>(
    of node: SelectionNode<State, Value>, _ callSite: CallSite,
    change: (@Sendable (Value) -> StoreChange<State>)? = nil
  ) -> SelectionDefinition<Value> {
    let link = link
    let reader = AtomReader()
    let selected = SelectedDefinition<Value>(selectionUse(of: node, by: reader), by: reader)
    let setter = change.map { change in
      SelectionDefinition<Value>.Setter(change: { Published(change($0)) }, receiver: link.sender)
    }
    let definition = SelectionDefinition(callSite.fileID, callSite.line, selected, setter: setter)
    // Graphs get it after it knows the atom that it belongs to.
    link.follow(selected, of: self)
    return definition
  }
}
