import ActorStore

extension ReadableAtom {
  /// A new stream of the atom's current and later values in the current store.
  ///
  /// See ``AtomStore/values(of:bufferingPolicy:)``.
  public var values: AsyncStream<Value> { AtomStore.current.values(of: self) }

  /// Returns a stream of the current value in the current store and all later ones.
  ///
  /// See ``AtomStore/values(of:bufferingPolicy:)``.
  ///
  /// - Parameter bufferingPolicy: The values to keep while the consumer is behind.
  /// - Returns: A new stream.
  public func values(
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy
  ) -> AsyncStream<Value> {
    AtomStore.current.values(of: self, bufferingPolicy: bufferingPolicy)
  }

  /// Calls a closure with each value in each store.
  ///
  /// In each store, the first value is the one at the atom's first use. In a store that already uses the atom, it is
  /// the current value. The atom holds the closure, so the closure must not hold the atom.
  /// ``AtomStore/observe(_:skip:_:)`` describes when and where the closure runs.
  ///
  /// - Parameters:
  ///   - skip: The number of initial values to skip in each store.
  ///   - body: The closure to call.
  /// - Returns: The same atom.
  @discardableResult
  public func onUpdate(skip: Int = 0, _ body: @escaping @Sendable (Value) -> Void) -> Self {
    let handler = AnyAtomDefinition.UpdateHandler(skip: skip) { body($0.value(as: Value.self)) }
    for handle in definition.add(handler) {
      _ =
        handle.graph.watch(definition, skip: skip, isHandler: true) { _ in .callback(handler.body) }
    }
    return self
  }

  /// Calls a closure with the current value in the current store and all later ones, until the result is released.
  ///
  /// The atom is in use until then. When its last use ends, the store resets its value, unless the ``AtomLifetime`` of
  /// the atom keeps it. See ``AtomStore/observe(_:skip:_:)``.
  ///
  /// - Parameters:
  ///   - skip: The number of initial values to skip.
  ///   - body: The closure to call.
  /// - Returns: The observation, which ends when it is canceled or released.
  public func observe(skip: Int = 0, _ body: @escaping @Sendable (Value) -> Void) -> AtomObservation {
    AtomStore.current.observe(self, skip: skip, body)
  }
}
