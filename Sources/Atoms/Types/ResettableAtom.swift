import ActorStore

extension ResettableAtom {
  /// Restores the default value in the current store.
  ///
  /// See ``AtomStore/reset(_:)``.
  public func reset() { AtomStore.current.reset(self) }

  /// Adds a closure that can change the value that a reset restores.
  ///
  /// - Parameter body: A closure that runs at each reset, on the default value or on the result of the closure that was
  ///   added before. It can run more than once, so it must have no other effects. It may read atoms.
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
  /// Sets an atom to its default value here, and forgets what a ``GetSetAtom`` was set to.
  ///
  /// Watchers hear of it, as of any set.
  ///
  /// - Parameter atom: The atom to reset.
  public func reset(_ atom: some ResettableAtom) { atom.definition.reset(in: core) }

  /// Resets all atoms that have a value here, in one transaction.
  public func resetAll() { core.resetAll() }
}
