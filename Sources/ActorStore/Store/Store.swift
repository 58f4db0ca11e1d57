/// A value that changes only by actions, which run one after the other in the order of the calls.
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
/// What it promises is listed in <doc:Promises>. Each queued call holds the store: letting go of the last reference
/// cancels nothing, what was dispatched or sent still runs.
///
/// Having the turn, not the executor of the actor, is what isolates the state: an actor would let another action in at
/// each suspension. So the members here are `nonisolated`; those you add in an extension may be isolated or not.
public actor Store<State: Sendable> {
  @usableFromInline nonisolated let cell: StateCell<State>
  @usableFromInline nonisolated let line: TurnLine
  @usableFromInline nonisolated let hub: SubscriptionHub
  @usableFromInline nonisolated let guards: (any Guards<State>)?
  @usableFromInline nonisolated let guardsWantOldState: Bool
  nonisolated let onUnhandledFailure: @Sendable (UnhandledFailure) -> Void
  private nonisolated let givenName: String?

  /// Makes a store that starts with this state.
  ///
  /// - Parameters:
  ///   - state: The state to begin with.
  ///   - guards: Who watches its actions and may refuse them, in this order.
  ///   - name: What the store is called in diagnostics and reports; by default the name of its type.
  ///   - onUnhandledFailure: Gets the error of a sent or deferred action when nobody awaits it. Called in whatever
  ///     context that turns out, never under a lock. By default one line on standard error.
  public init(
    _ state: State,
    guards: [any Guard<State>] = [],
    name: String? = nil,
    onUnhandledFailure: @escaping @Sendable (UnhandledFailure) -> Void = { $0.writeToStandardError() }
  ) {
    cell = StateCell(state)
    let hub = SubscriptionHub()
    self.hub = hub
    line = TurnLine(onDrained: hub.finish)
    let guards = chain(guards)
    self.guards = guards
    guardsWantOldState = guards?.wantOldState == true
    givenName = name
    self.onUnhandledFailure = onUnhandledFailure
    line.named(self.name)
  }

  deinit {
    hub.finish()
  }

  /// What the store is called in diagnostics and reports.
  public nonisolated var name: String { givenName ?? "\(Self.self)" }

  /// The committed state.
  ///
  /// Never a draft (P6): while an asynchronous action runs, this is the state it started from, returned at once. Only
  /// while a mutation edits the state in place does the read wait, and then it gets that mutation's commit. After a
  /// dispatch has returned it sees at least that commit (P5). It can be read after ``close()`` too.
  public nonisolated(nonsending) var state: State {
    get async {
      var state: State?
      if line.read({ state = cell.copy() }), let state {
        if line.isSimulated { await line.pauseAfterReading() }
        return state
      }
      return await park { reader in
        var state: State?
        if line.read({ state = cell.copy() }, later: { reader.resume(returning: self.cell.copy()) }), let state {
          reader.resume(returning: state)
        }
      }
    }
  }

  /// Takes no more actions.
  ///
  /// It takes its place in the queue as an action would: what was dispatched or sent before it still runs, a later
  /// dispatch or send gets `.closed`. Returns at once; a second call does nothing; it may be called inside an action.
  public nonisolated func close() {
    line.close()
  }

  /// Returns when no action runs or waits to run; the next moment one may.
  package nonisolated func waitUntilIdle() async {
    await line.waitUntilIdle()
  }

  /// What the store is doing now.
  ///
  /// Costs the dispatches nothing, and itself in proportion to those who wait and watch; for people and tests, not for
  /// decisions: it may be out of date as soon as it is returned.
  public nonisolated var diagnostics: StoreDiagnostics {
    let snapshot = line.snapshot()
    return StoreDiagnostics(
      name: name,
      revision: snapshot.revision,
      isClosed: snapshot.isClosed,
      holder: snapshot.holder.map { .init(label: $0.label.description, phase: .init($0.phase)) },
      queued: snapshot.queued.map(\.description),
      overlapping: snapshot.overlapping.map(\.description),
      subscribers: hub.accounts
    )
  }
}
