extension AtomStore {
  /// Returns the value that an atom has here.
  ///
  /// A derived atom is computed if something that it read has changed since its last run. Inside the closure of a
  /// derived atom, the read becomes a dependency.
  ///
  /// - Parameter atom: The atom to read.
  /// - Returns: The value at one revision. In a derivation, snapshot, or transaction, that revision is fixed, and a
  ///   transaction also sees its own sets. Otherwise, it is no older than the newest revision when the call began.
  @inlinable
  public func get<Value>(_ atom: some ReadableAtom<Value>) -> Value { value(of: atom.definition) }

  /// Runs a closure whose reads all see the same revision.
  ///
  /// Inside a transaction, it sees the changes of the transaction. Setting an atom inside the closure has no effect and
  /// is reported to ``onProblem``, which traps by default in a debug build.
  ///
  /// - Parameter body: The closure to run, with this store as the current one.
  /// - Returns: The closure's result.
  public func snapshot<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let outer = Evaluation.current(in: core) { return try outer.snapshot(body) }
    return try withCore { (core) throws(Failure) -> Result in
      guard let run = AnyRun.current(in: core) else { return try core.snapshot(body) }
      return try run.evaluate(in: core, isTracking: true) { (_) throws(Failure) -> Result in try body() }
    }
  }
}
