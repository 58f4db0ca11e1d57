import ActorStore

extension AtomStore {
  /// Returns a stream of an atom's current value here and all later ones.
  ///
  /// Each call creates a separate subscription. The stream has no repeats, keeps the order, and ends when the store is
  /// gone. It does not keep the store. For an ``Atom``, it has each committed value. For any other atom, it has the
  /// value at each revision, except that changes by several threads can be combined (A17 in <doc:AtomPromises>). Values
  /// without `Equatable` can repeat. The atom is in use until the stream ends or is released.
  ///
  /// When the last use of the atom ends, the store resets its value, even if code has set it. To keep the value, create
  /// the atom with the lifetime ``AtomLifetime/kept`` (A30 in <doc:AtomPromises>).
  ///
  /// - Parameters:
  ///   - atom: The atom to watch.
  ///   - bufferingPolicy: The values to keep while the consumer is behind.
  /// - Returns: A new stream.
  public func values<Value>(
    of atom: some ReadableAtom<Value>,
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    values(of: atom.definition, bufferingPolicy)
  }

  func values<Value>(
    of definition: AtomDefinition<Value>,
    _ bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    subscription(to: definition, bufferingPolicy).stream
  }

  /// Subscribes to an atom's current value here and all later ones.
  ///
  /// In an evaluation or a callback, the current value follows later.
  ///
  /// - Parameters:
  ///   - definition: The atom to watch.
  ///   - bufferingPolicy: The values to keep while the consumer is behind.
  ///   - keepsValues: Whether atoms that come out of use at the end of the subscription keep their values.
  /// - Returns: A new subscription.
  func subscription<Value>(
    to definition: AtomDefinition<Value>,
    _ bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy,
    keepsValues: Bool = false
  ) -> Subscription<Value> {
    let reference = core.reference
    // The number of the watcher, which is known only after the stream was created.
    let number = Locked(0)
    var subscription: Subscription<Value>?
    let added = withCore { core in
      core.watch(definition, skip: 0) { broadcast in
        let new = Subscription<Value>(broadcast, of: nil, Buffering(bufferingPolicy), filter: nil) {
          reference.withGraph { $0.unwatch(definition, number.withLock { $0 }, keepsValues: keepsValues) }
        }
        subscription = new
        return .stream { [weak new] in new?.start(with: $0.value(as: Value.self)) }
      }
    }
    number.withLock { $0 = added }
    guard let subscription else { preconditionFailure("Atoms: a stream was not created. This is a bug in Atoms.") }
    return subscription
  }

  /// Calls a closure with an atom's current value here and all later ones, until the result is released.
  ///
  /// The first call happens before this method returns. Each later call happens on the setting thread, before the set
  /// returns. While other threads make changes, another thread or a task of the store can make either call later (A18
  /// in <doc:AtomPromises>). If a callback calls `observe` or sets the atom, the call follows the current delivery. A
  /// store's closures run one at a time, and those of one atom in the order in which they were added. They run outside
  /// any derivation, and may read and set atoms. Such a set is a separate revision, which is delivered after the
  /// current one. The atom is in use until the observation ends.
  ///
  /// When the last use of the atom ends, the store resets its value, even if code has set it. To keep the value, create
  /// the atom with the lifetime ``AtomLifetime/kept`` (A30 in <doc:AtomPromises>).
  ///
  /// - Parameters:
  ///   - atom: The atom to watch.
  ///   - skip: The number of initial values to skip.
  ///   - body: The closure to call. The store holds it until the observation ends.
  /// - Returns: The observation, which ends when it is canceled or released.
  public func observe<Value>(
    _ atom: some ReadableAtom<Value>,
    skip: Int = 0,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> AtomObservation {
    let number = withCore { core in
      core.watch(atom.definition, skip: skip) { _ in .callback { body($0.value(as: Value.self)) } }
    }
    return AtomObservation(core, atom.definition, number)
  }
}
