extension AtomStore {
  /// Sets an atom's value here.
  ///
  /// By the time the call returns, all reads see the value, and watchers have been offered it, unless another thread is
  /// delivering at the moment. An equal value changes nothing. In a transaction, the set becomes visible with the
  /// transaction. Inside the closure of a derived atom, a set has no effect and is reported to ``onProblem``.
  ///
  /// Cost: proportional to the number of values that were up to date and now may not be, and to the dependencies on
  /// them. If the atom has dependents or watchers, the set compares the values once. The calling thread also delivers to
  /// the watchers.
  ///
  /// - Parameters:
  ///   - atom: The atom to set.
  ///   - value: The new value.
  @inlinable
  public func set<Value>(_ atom: some WritableAtom<Value>, _ value: Value) {
    ValueSlot.with(value) { write(atom.definition, to: $0) }
  }

  /// Changes an atom's value based on the current one, as one step.
  ///
  /// It is a transaction, so the closure can run more than once. It must have no other effects.
  ///
  /// - Parameters:
  ///   - atom: The atom to change.
  ///   - body: A closure that changes the value. If it throws, nothing is set.
  /// - Returns: The closure's result.
  @discardableResult
  public func update<Value, Result, Failure: Error>(
    _ atom: some WritableAtom<Value>,
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try transaction { () throws(Failure) -> Result in
      var value = get(atom)
      let result = try body(&value)
      set(atom, value)
      return result
    }
  }

  /// Runs a closure whose sets become visible all at once.
  ///
  /// Reads inside see the sets, also in derived values, and no changes by others. No one else sees the sets until the
  /// closure has returned. Then they become one revision, and each watcher hears of at most one change. If the closure
  /// throws, nothing is set.
  ///
  /// If another thread has changed something that the closure read, it runs again, so it must have no other effects. A
  /// transaction inside another one is part of it. If the inner one throws, only its sets are undone. Tasks that the
  /// closure starts are not part of the transaction.
  ///
  /// - Parameter body: The closure to run, with this store as the current one.
  /// - Returns: The closure's result.
  @discardableResult
  public func transaction<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.transaction(body)
  }
}
