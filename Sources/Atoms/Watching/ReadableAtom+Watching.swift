import ActorStore

extension ReadableAtom {
  /// The current value in the current store and all later ones.
  ///
  /// See ``AtomStore/values(of:bufferingPolicy:)``.
  public var values: AsyncStream<Value> { AtomStore.current.values(of: self) }

  /// Returns a stream of the current value in the current store and all later ones.
  ///
  /// See ``AtomStore/values(of:bufferingPolicy:)``.
  ///
  /// - Parameter bufferingPolicy: The values to keep while the reader is behind.
  /// - Returns: A new stream.
  public func values(
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy
  ) -> AsyncStream<Value> {
    AtomStore.current.values(of: self, bufferingPolicy: bufferingPolicy)
  }

  /// Calls a closure with each value in each store.
  ///
  /// In each store, the first call has the value at the atom's first use there. The closure lives as long as the atom,
  /// so it must not hold the atom. Calls are as for ``AtomStore/observe(_:skip:_:)``.
  ///
  /// - Parameters:
  ///   - skip: The number of calls to leave out in each store.
  ///   - body: The closure to call.
  /// - Returns: The same atom.
  @discardableResult
  public func onUpdate(skip: Int = 0, _ body: @escaping @Sendable (Value) -> Void) -> Self {
    let handler = AnyAtomDefinition.UpdateHandler(skip: skip) { body($0.value(as: Value.self)) }
    for graph in definition.add(handler) { _ = graph.watch(definition, skip: skip) { _ in .callback(handler.body) } }
    return self
  }

  /// Calls a closure with the current value in the current store and all later ones, until the result is released.
  ///
  /// See ``AtomStore/observe(_:skip:_:)``.
  ///
  /// - Parameters:
  ///   - skip: The number of calls to leave out.
  ///   - body: The closure to call.
  /// - Returns: The observation, which ends when it is canceled or released.
  public func observe(skip: Int = 0, _ body: @escaping @Sendable (Value) -> Void) -> AtomObservation {
    AtomStore.current.observe(self, skip: skip, body)
  }
}
