import ActorStore

extension ResettableAtom {
  /// Resets the atom in the current store.
  ///
  /// See ``AtomStore/reset(_:)``.
  public func reset() { AtomStore.current.reset(self) }

  /// Adds a closure that can change the value that a reset restores.
  ///
  /// - Parameter body: A closure that runs at each reset, on the result of the closure that was added before. The first
  ///   closure gets the default value, or the current value of a ``GetSetAtom``. It can run more than once, so it must
  ///   have no other effects. It may read atoms.
  /// - Returns: The same atom.
  public func onReset(_ body: @escaping @Sendable (inout Value) -> Void) -> Self {
    definition.addReset { value in
      var value = value.value(as: Value.self)
      body(&value)
      return Published(value)
    }
    return self
  }
}

extension AtomStore {
  /// Resets an atom in this store.
  ///
  /// Restores the default value after applying the `onReset` closures. A ``GetSetAtom`` has no default value: its reset
  /// forgets the value that was set last, and runs the setter only if there are `onReset` closures. Watchers are
  /// notified as for any set.
  ///
  /// - Parameter atom: The atom to reset.
  public func reset(_ atom: some ResettableAtom) { withCore { $0.reset(atom.definition) } }

  /// Resets all atoms that have a value here, in one transaction.
  public func resetAll() { withCore { $0.resetAll() } }
}
