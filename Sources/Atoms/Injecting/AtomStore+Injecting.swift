extension AtomStore {
  /// Replaces an atom's default value or closure in this store.
  ///
  /// ```swift
  /// store.inject(apiAtom) { API.mock }
  /// ```
  ///
  /// The injected closure is a derivation: it may read other atoms, and runs again when they change. The atom's own
  /// closures do not run, except the closure of a ``WillSetAtom`` for values that are set. The setter of a
  /// ``GetSetAtom`` does not run either.
  ///
  /// A set replaces the injected value until a reset, a new injection, or the removal of the injection. The value that
  /// the atom had before comes back when the injection is removed. Watchers and dependents see the new values as after
  /// a set. Inside a derivation, a snapshot, or a transaction, an injection has no effect and is reported to
  /// ``onProblem``.
  ///
  /// - Parameters:
  ///   - atom: The atom to replace. Other stores do not change.
  ///   - body: A closure that computes the value. It must not hold the atom, because neither would ever be released.
  /// - Returns: The same store.
  @discardableResult
  public func inject<Value>(_ atom: some ReadableAtom<Value>, _ body: @escaping @Sendable () -> Value) -> AtomStore {
    withCore { $0.inject(atom.definition, atom.definition.makeInjection(in: $0, body)) }
    return self
  }

  /// Replaces an atom's default value or closure in this store by a value.
  ///
  /// - Parameters:
  ///   - atom: The atom to replace. Other stores do not change.
  ///   - value: The value until the atom is set.
  /// - Returns: The same store.
  @discardableResult
  public func inject<Value>(_ atom: some ReadableAtom<Value>, value: Value) -> AtomStore {
    inject(atom) { value }
  }

  /// Replaces the operation of an asynchronous atom in this store.
  ///
  /// ```swift
  /// store.inject(dogsAtom) { try await mock.search() }
  /// ```
  ///
  /// The injected operation runs in place of the atom's own one. ``AsyncAtom/reload()`` and
  /// ``AsyncAtom/cancel()`` apply to it. After an injection of a state, they have no effect.
  ///
  /// - Parameters:
  ///   - atom: The atom to replace. Other stores do not change.
  ///   - operation: A closure that produces the value. It must not hold the atom, because neither would ever be
  ///     released.
  /// - Returns: The same store.
  @discardableResult
  public func inject<Success>(
    _ atom: AsyncAtom<Success>, _ operation: @escaping @Sendable @concurrent () async throws -> Success
  ) -> AtomStore {
    let own = AsyncDefinition.of(atom.definition)
    let replacement = AsyncAtom(
      lifetime: own.lifetime, throwOnCancellation: own.throwsOnCancellation, operation)
    return inject(own, replacement.definition)
  }

  /// Replaces the sequence of an asynchronous atom in this store.
  ///
  /// - Parameters:
  ///   - atom: The atom to replace. Other stores do not change.
  ///   - make: A closure that makes a sequence. It must not hold the atom, because neither would ever be released.
  /// - Returns: The same store.
  @discardableResult
  public func inject<S: AsyncSequence>(
    _ atom: AsyncSequenceAtom<S.Element>, _ make: @escaping @Sendable () -> S
  ) -> AtomStore where S.Element: Sendable, S: SendableMetatype, S.AsyncIterator: SendableMetatype {
    let own = AsyncDefinition.of(atom.definition)
    return inject(own, AsyncSequenceAtom(lifetime: own.lifetime, make).definition)
  }

  private func inject<Success>(
    _ own: AsyncDefinition<Success>, _ replacement: AtomDefinition<AsyncState<Success>>
  ) -> AtomStore {
    replacement.label = own.label
    withCore { core in
      var injection = own.makeInjection(in: core) { AtomStore.currentValue(of: replacement) }
      injection.replacement = replacement
      injection.set = { graph, value in replacement.write(in: graph, value) }
      core.inject(own, injection)
    }
    return self
  }

  /// Ends the replacement of an atom's default value or closure.
  ///
  /// The atom has the value that its own closure computes, or the value that it had before the injection. Values that
  /// were set since the injection are dropped. If there is no injection, the call has no effect.
  ///
  /// - Parameter atom: The atom to restore.
  public func removeInjection(of atom: some ReadableAtom) { withCore { $0.inject(atom.definition, nil) } }
}
