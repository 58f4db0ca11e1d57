/// A state that changes only through actions, which run one after another in call order.
///
/// ```swift
/// struct Counter: Sendable { var count = 0 }
/// struct Increment: Mutation { func run(_ state: inout Counter) { state.count += 1 } }
///
/// let store = Store(Counter())
/// await store.dispatch(Increment())
/// await store.dispatch { $0.count += 1 }
/// print(await store.state.count)
/// ```
///
/// <doc:Promises> lists its guarantees. Each queued call and each running group holds the store, so releasing your last
/// reference cancels nothing. Dispatched and sent actions and groups still run. Actions with the policy
/// ``DispatchPolicy/overlapping`` may run at the same time as others.
///
/// The turn isolates the state. The actor's executor does not, because it would let another action in at each
/// suspension. So the members of the store are `nonisolated`. Members that you add in an extension can be isolated or
/// nonisolated.
public actor Store<State: Sendable> {
  // A dispatch uses the first three fields (HP16).
  @usableFromInline nonisolated let queue: TurnQueue
  @usableFromInline nonisolated let guards: GuardChain<State>?
  /// The committed state, which no separate lock guards.
  ///
  /// This invariant makes that safe, and replaces the exclusivity checks. Only the turn's holder *writes* it: in place
  /// while the phase of its turn is `applying`, otherwise under the queue's lock. The holder may also *read* it. Others
  /// read it under the queue's lock while the phase is not `applying`. So a write never overlaps another access.
  ///
  /// If the variable were not `final`, clients would access it through calls.
  @usableFromInline @safe @exclusivity(unchecked) nonisolated(unsafe) final var committedState: State
  nonisolated let existingExtras = Locked<StoreExtras?>(nil)
  nonisolated let onUnhandledFailure: @Sendable (UnhandledFailure) -> Void
  private nonisolated let givenName: String?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - guards: The guards that take part in its actions or get reports of them, in this order. Pass at most 100.
  ///   - middleware: The middleware that wraps the run of each action. The first one is the outermost. Pass at most
  ///     100.
  ///   - executor: An executor that the actions prefer while they wait for the turn and run, unless the task that makes
  ///     the call prefers another one. See <doc:ServingRequests#Under-load> for its use, cost, and limits. By default,
  ///     actions run on the executor of the caller's task, which is usually Swift's default executor.
  ///   - name: The name of the store in diagnostics and reports. The default is the name of its type.
  ///   - onUnhandledFailure: A closure that gets the failure of each sent or deferred action, and of each sent group,
  ///     that did not commit and that no task awaits. The failure contains the thrown error or a ``NotCommitted``. It
  ///     is not called for a ticket that was canceled, or for a deferred action whose owner failed. It may be called in
  ///     any context, but never under a lock. The default writes one line to standard error.
  @inlinable
  @inline(never)  // HP14
  public init(
    _ state: State,
    guards: [any ReportGuard<State>] = [],
    middleware: [any Middleware<State>] = [],
    executor: (any TaskExecutor)? = nil,
    name: String? = nil,
    onUnhandledFailure: @escaping @Sendable (UnhandledFailure) -> Void = { $0.writeToStandardError() }
  ) {
    checkCount(guards.count, of: "guards")
    checkCount(middleware.count, of: "middleware")
    var chain: (any MiddlewareChain<State>)?
    for each in middleware.reversed() { chain = link(each, chain) }
    let queue = TurnQueue(suspendsMutations: chain?.isSynchronous == false, executor: executor)
    if guards.isEmpty && chain == nil {
      self.init(state, queue, nil, name, onUnhandledFailure)
    } else {
      let list = GuardList<State>(of: queue, name, Self.self)
      for each in guards.reversed() { list.add(each) }
      self.init(state, queue, GuardChain(list, chain), name, onUnhandledFailure)
    }
  }

  // A client that uses the library with library evolution cannot initialize the properties itself.
  @usableFromInline
  init(
    _ state: State,
    _ queue: TurnQueue,
    _ guards: GuardChain<State>?,
    _ name: String?,
    _ onUnhandledFailure: @escaping @Sendable (UnhandledFailure) -> Void
  ) {
    committedState = state
    self.queue = queue
    self.guards = guards
    givenName = name
    self.onUnhandledFailure = onUnhandledFailure
    queue.named(self.name)
  }

  /// The name of the store in diagnostics and reports.
  public nonisolated var name: String { givenName ?? "\(Self.self)" }

  /// The committed state.
  ///
  /// It is never a draft. While an asynchronous action runs, reading returns the last committed state without waiting.
  /// Reading waits only while a mutation edits the state in place, and then returns that mutation's commit. After a
  /// dispatch has returned, reading returns that dispatch's commit or a later one. You can also read the state after
  /// ``close()``. See P5 and P6 in <doc:Promises>.
  public nonisolated(nonsending) var state: State {
    get async {
      if queue.isSimulated { await queue.pauseBeforeReading() }
      if let state = readable?.state {
        if queue.isSimulated {
          queue.note(.read)
          await queue.pause()
        }
        return state
      }
      let state = await park { reader in
        var state: State?
        if queue.read({ state = committedState }, later: { reader.resume(returning: self.committedState) }), let state {
          reader.resume(returning: state)
        }
      }
      queue.note(.read)
      return state
    }
  }

  /// Closes the store to new actions, and returns immediately.
  ///
  /// Actions that were dispatched or sent before the call still run, and so do deferred actions whose owners commit.
  /// Running groups continue, and the store still accepts their actions and the groups that they start. The outcome of
  /// other calls is ``Outcome/closed``. You can call `close()` inside an action. A second call has no effect. To wait
  /// until the last action and the last group have ended, use ``closeAndDrain()``.
  public nonisolated func close() {
    queue.point()
    queue.close()
    queue.pointAfterCall()
  }

  /// Waits until no action runs or waits to run.
  ///
  /// By the time the call returns, another action may have begun.
  package nonisolated func waitUntilIdle() async {
    await queue.waitUntilIdle()
  }

  /// Whether no action or group runs, waits to run, or is deferred until its owner commits.
  ///
  /// It is the same as ``StoreDiagnostics/isIdle``, and may be out of date as soon as you get it. Reading it takes
  /// constant time and never suspends.
  public nonisolated var isIdle: Bool {
    queue.pointBeforeReading()
    return queue.isIdle
  }

  /// The number of streams that have not ended.
  ///
  /// It is the number of elements in ``StoreDiagnostics/subscribers``, and may be out of date as soon as you get it.
  /// The cost of reading it grows with the number of different selections, but not with the number of streams.
  public nonisolated var subscriberCount: Int {
    queue.pointBeforeReading()
    return existingExtras.withLock { $0 }?.hub.subscriberCount ?? 0
  }

  /// The number of actions that wait for the turn, including deferred actions that already have a ticket.
  ///
  /// It is the number of elements in ``StoreDiagnostics/queued``. It may be out of date as soon as you get it. Reading
  /// it takes constant time and never suspends.
  public nonisolated var queueLength: Int {
    queue.pointBeforeReading()
    return queue.queuedCount
  }

  /// A snapshot of the store's activity, for people and tests.
  ///
  /// It may be out of date as soon as you get it, so do not base decisions on it. While you do not read it, it adds no
  /// cost to dispatches. Its own cost grows with the number of waiting calls, overlapping actions, groups, and
  /// subscribers. For the number of waiting actions alone, read ``queueLength``.
  public nonisolated var diagnostics: StoreDiagnostics {
    queue.pointBeforeReading()
    let snapshot = queue.snapshot()
    return StoreDiagnostics(
      name: name,
      revision: snapshot.revision,
      isClosed: snapshot.isClosed,
      holder: snapshot.holder.map { .init(label: $0.label.description, phase: .init($0.phase)) },
      queued: snapshot.queued.map(\.description),
      overlapping: snapshot.overlapping.map(\.description),
      groups: snapshot.groups.map(\.description),
      deferred: snapshot.deferredCount,
      isReporting: guards?.hasReported == false,
      subscribers: existingExtras.withLock { $0 }?.hub.counts.map { .init($0) } ?? []
    )
  }
}
