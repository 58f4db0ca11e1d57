extension AtomStore {
  /// Sets an atom's value here.
  ///
  /// When the call returns, new reads see the value, and the store has offered it to the watchers. If the store is
  /// already delivering, on another thread or because a callback made the set, the watchers receive the value later. A
  /// set of an equal value does not notify watchers. In a transaction, the set becomes visible with the transaction.
  /// Inside the closure of a derived atom, the call has no effect and is reported to ``onProblem``, which traps by
  /// default in a debug build.
  ///
  /// Cost: proportional to the number of values that were up to date and now may not be, and to the dependencies on
  /// them. If the atom has dependents or watchers, or the store has a log, the set compares the values. It compares
  /// again if another thread sets the atom meanwhile. The calling thread also delivers to the watchers.
  ///
  /// - Parameters:
  ///   - atom: The atom to set.
  ///   - value: The new value.
  @inlinable
  public func set<Value>(_ atom: some WritableAtom<Value>, _ value: Value) {
    ValueSlot.with(value) { write(atom.definition, to: $0) }
  }

  /// Atomically changes an atom's value based on its current value.
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
    try update(atom.definition, body)
  }

  func update<Value, Result, Failure: Error>(
    _ definition: AtomDefinition<Value>, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try transaction { () throws(Failure) -> Result in
      var value = value(of: definition)
      let result = try body(&value)
      ValueSlot.with(value) { write(definition, to: $0) }
      return result
    }
  }

  /// Runs a closure whose sets become visible all at once.
  ///
  /// Reads inside see the transaction's sets, including their effects on derived values, but no changes by other
  /// callers. Other callers do not see the sets before the commit. The commit creates one revision and notifies each
  /// watcher at most once. If the closure throws, nothing is set.
  ///
  /// If something that the closure read may have changed meanwhile, the closure runs again, so it must have no other
  /// effects. A transaction inside another one is part of it. If the inner one throws, only its sets are undone. Tasks
  /// that the closure starts are not part of the transaction.
  ///
  /// A transaction is optimistic: it never makes others wait, so a long one can run any number of times while others
  /// keep changing what it reads. After a hundred runs without a commit, it reports
  /// ``AtomProblem/repeatedTransaction(_:)`` to ``onProblem``, and continues.
  ///
  /// - Parameter body: The closure to run, with this store as the current one.
  /// - Returns: The closure's result.
  @discardableResult
  public func transaction<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withCore { (core) throws(Failure) -> Result in try core.transaction(body) }
  }
}
