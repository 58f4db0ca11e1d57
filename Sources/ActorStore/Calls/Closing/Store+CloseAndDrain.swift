extension Store {
  /// Closes the store and waits until every accepted call has ended and has been reported.
  ///
  /// Use it to shut down. Actions that were dispatched or sent before the call still run, and so do deferred actions
  /// whose owners commit. Running groups continue, and the store still accepts their actions and the groups that they
  /// start. Other calls return ``Outcome/closed``. Once no action runs or waits, the store's streams that running groups
  /// created end, so that those groups can end. If the store is already closed, the call waits for what remains.
  ///
  /// The call also waits until the guards have received the reports of these calls, and until each ``LogSink`` has
  /// received their records. It does not wait for the consumers of streams, which may be slow.
  ///
  /// Canceling the waiting task does not end the wait, because servers cancel their tasks when they shut down. To limit
  /// the wait, call ``closeAndDrain(within:clock:)``. To wait for several stores, call one of the static methods.
  ///
  /// - Throws: ``StateWaitError/wouldDeadlock``. The call would deadlock if it is nested in an action (even an
  ///   overlapping one) or a group of the store, in an action of another store that an action or a group of this store
  ///   waits for, or in an action of another store whose deferred call this store has accepted. Even if the call throws,
  ///   the store is closed.
  public nonisolated(nonsending) func closeAndDrain() async throws(StateWaitError) {
    try await Self.closeAndDrain([self])
  }

  /// Closes the store and waits like ``closeAndDrain()``, for a limited time.
  ///
  /// ```swift
  /// if let rest = try await store.closeAndDrain(within: .seconds(5)) { logger.error("\(rest)") }
  /// ```
  ///
  /// After half of the time, the call cancels the tasks of sent groups, which can then end in the other half. A canceled
  /// group that has not begun never begins. The call does not cancel actions and dispatched groups, which run in their
  /// callers' tasks.
  ///
  /// - Parameters:
  ///   - limit: The maximum time of the call.
  ///   - clock: The clock that measures the limit.
  /// - Returns: `nil` if everything has ended. Otherwise, the diagnostics of the store at the time limit, which name
  ///   the actions and groups that still run.
  /// - Throws: The same error as ``closeAndDrain()``.
  @discardableResult
  public nonisolated(nonsending) func closeAndDrain(
    within limit: Duration,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StateWaitError) -> StoreDiagnostics? {
    try await Self.closeAndDrain([self], within: limit, clock: clock).first
  }

  /// Closes several stores and waits until every accepted call has ended and has been reported.
  ///
  /// All stores are closed before the wait begins, and the limit applies to all of them together. The call otherwise
  /// waits like ``closeAndDrain(within:clock:)``. For an idle store, it takes only a few short critical sections and
  /// allocates no memory.
  ///
  /// - Parameters:
  ///   - stores: The stores.
  ///   - limit: The maximum time of the call, or `nil` to wait indefinitely.
  ///   - clock: The clock that measures the limit.
  /// - Returns: The diagnostics of each store in which something has not ended, in the order of the stores.
  /// - Throws: ``StateWaitError/wouldDeadlock`` if the wait for one of the stores would deadlock. Even if the call
  ///   throws, all stores are closed.
  @discardableResult
  public nonisolated(nonsending) static func closeAndDrain(
    _ stores: [Store<State>],
    within limit: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StateWaitError) -> [StoreDiagnostics] {
    try await closeAndDrain(stores, within: limit, clock, atHalf: {})
  }

  /// Closes and drains several stores, and calls a closure just before it cancels the sent groups.
  package nonisolated(nonsending) static func closeAndDrain(
    _ stores: [Store<State>],
    within limit: Duration?,
    _ clock: any Clock<Duration>,
    atHalf: @escaping @Sendable () -> Void
  ) async throws(StateWaitError) -> [StoreDiagnostics] {
    var busy: [any DrainedStore] = []
    for store in stores { store.close() }
    for store in stores where !store.hasEnded { busy.append(store) }
    return try await Drain.wait(for: busy, within: limit, clock, atHalf: atHalf)
  }
}

extension Store where State == Never {
  /// Closes stores with different state types and waits until every accepted call has ended and has been reported.
  ///
  /// ```swift
  /// for rest in try await Store.closeAndDrain(users, orders, within: .seconds(10)) { logger.error("\(rest)") }
  /// ```
  ///
  /// Apart from its parameters, it is the same as the method for an array.
  ///
  /// - Parameters:
  ///   - stores: The stores.
  ///   - limit: The maximum time of the call, or `nil` to wait indefinitely.
  ///   - clock: The clock that measures the limit.
  /// - Returns: The diagnostics of each store in which something has not ended, in the order of the stores.
  /// - Throws: ``StateWaitError/wouldDeadlock`` if the wait for one of the stores would deadlock. Even if the call
  ///   throws, all stores are closed.
  @discardableResult
  public nonisolated(nonsending) static func closeAndDrain<each Each: Sendable>(
    _ stores: repeat Store<each Each>,
    within limit: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StateWaitError) -> [StoreDiagnostics] {
    var busy: [any DrainedStore] = []
    for store in repeat each stores { store.close() }
    for store in repeat each stores {
      if !store.hasEnded { busy.append(store) }
    }
    return try await Drain.wait(for: busy, within: limit, clock)
  }
}
