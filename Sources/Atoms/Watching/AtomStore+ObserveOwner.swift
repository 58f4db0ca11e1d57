public import ActorStore

/// `observe` for owners, which are held weakly.
extension AtomStore {
  /// Calls a closure on the caller's actor with an atom's current value here and all later ones.
  ///
  /// ```swift
  /// @MainActor final class Badge {
  ///   var text = ""
  ///
  ///   init(_ store: AtomStore) {
  ///     store.observe(self, countAtom) { badge, count in badge.text = "\(count)" }
  ///   }
  /// }
  /// ```
  ///
  /// The observation holds neither the owner nor the actor nor the store, but it holds the atom. It ends when you
  /// cancel the token or when the store is gone. After the owner or the actor is gone, it ends with the next value.
  /// Until then, the atom is in use. When its last use ends, the store resets its value, even if code has set it. To
  /// keep the value, create the atom with the lifetime ``AtomLifetime/kept`` (A30 in <doc:AtomPromises>).
  ///
  /// A second call with the same owner and `id` returns the token of the first one. In a debug build, it traps if it
  /// comes from another line of code without an `id`.
  ///
  /// The values and their order are those of ``values(of:bufferingPolicy:)``. The closure runs after the set, when the
  /// actor is free. Inside the closure, this store is the current one.
  ///
  /// - Parameters:
  ///   - owner: The object for which the closure is called. It must belong to the caller's actor.
  ///   - atom: The atom to watch.
  ///   - bufferingPolicy: The values to keep while the actor is busy. To display the value, `.bufferingNewest(1)` is
  ///     enough.
  ///   - id: Distinguishes this observation from others of the same owner. The default stands for the atom.
  ///   - isolation: The actor on which the closure runs.
  ///   - fileID: The file of the call, which identifies an observation without an `id`.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - body: A closure that gets the owner and the value. Calls do not overlap.
  /// - Returns: A token with which you can end the observation. You do not have to keep it.
  @discardableResult
  public func observe<Owner: AnyObject, Value>(
    _ owner: Owner,
    _ atom: some ReadableAtom<Value>,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    isolation: isolated any Actor = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping (_ owner: Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    let reference = core.reference
    let site = CallSite(fileID: fileID, line: line, column: column)
    return core.observations.observe(
      owner, id: ObservationID(id, of: ObjectIdentifier(atom.definition), site),
      on: isolation, calledOn: isolation, { subscription(to: atom.definition, bufferingPolicy) }
    ) { owner, value in
      reference.withGraph { SelectedGraph.callBack($0) { body(owner, value) } }
    }
  }

  /// Calls an actor-isolated closure with an atom's current value here and all later ones.
  ///
  /// It is like ``observe(_:_:bufferingPolicy:id:isolation:fileID:line:column:_:)``, which is for objects on an actor.
  /// You can call this overload from anywhere.
  @discardableResult
  public func observe<Owner: Actor, Value>(
    _ owner: Owner,
    _ atom: some ReadableAtom<Value>,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable (_ owner: isolated Owner, _ value: Value) -> Void
  ) -> ObservationToken {
    let reference = core.reference
    let site = CallSite(fileID: fileID, line: line, column: column)
    return core.observations.observe(
      owner, id: ObservationID(id, of: ObjectIdentifier(atom.definition), site),
      on: owner, calledOn: nil, { subscription(to: atom.definition, bufferingPolicy) }
    ) { owner, value in
      // The observer calls its closure on its actor, which is the owner.
      reference.withGraph { SelectedGraph.callBack($0) { owner.assumeIsolated { body($0, value) } } }
    }
  }
}
