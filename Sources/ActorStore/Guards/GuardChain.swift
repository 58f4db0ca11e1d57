/// All guards and middleware of a store.
///
/// A store without any has no chain, so each of its calls only checks for `nil`.
@usableFromInline final class GuardChain<State: Sendable>: Sendable {
  /// The guards that take part in the turn.
  ///
  /// Only the chain's methods call them, because a call from elsewhere retains the list (HP11).
  private let turn: (any Guards<State>)?
  /// The middleware, which runs the actions.
  private let middleware: (any MiddlewareChain<State>)?
  /// All guards, which are told how calls end.
  private let listeners: (any Listeners<State>)?
  @usableFromInline let stopwatch: (@Sendable () -> Duration)?
  // The flags share a word.
  /// Whether any guard takes part in the turn.
  @usableFromInline let takesPart: Bool
  /// Whether actions run inside middleware.
  @usableFromInline let hasMiddleware: Bool
  /// Whether middleware may suspend around a mutation.
  @usableFromInline let suspendsMutations: Bool
  /// Whether a mutation that cannot fail edits the state in place, although the store has guards.
  @usableFromInline let editsInPlace: Bool
  /// Whether the store has listeners.
  @usableFromInline let hasListeners: Bool
  /// Whether reports of commits contain the states.
  @usableFromInline let reportsStates: Bool
  /// Whether an edit in place must leave the old state behind.
  @usableFromInline let wantsOldState: Bool
  /// Whether a commit keeps the turn, because something remains to be done in it.
  @usableFromInline let keepsTurn: Bool
  private let calls = PendingCalls()

  /// Creates a chain, or returns `nil` if it would be empty.
  @usableFromInline
  init?(_ list: GuardList<State>?, _ middleware: (any MiddlewareChain<State>)?) {
    if list?.listeners == nil && middleware == nil { return nil }
    self.middleware = middleware
    hasMiddleware = middleware != nil
    suspendsMutations = middleware?.isSynchronous == false
    editsInPlace = middleware?.changesState != true
    turn = list?.turn
    takesPart = turn != nil
    listeners = list?.listeners
    hasListeners = listeners != nil
    reportsStates = list?.reportsStates == true
    wantsOldState = reportsStates || turn?.wantOldState == true
    keepsTurn = reportsStates || turn != nil
    stopwatch = if let clock = list?.clock { makeStopwatch(clock) } else { nil }
  }

  /// Whether an action that cannot fail may be refused.
  @inlinable var canRefuse: Bool { takesPart || hasMiddleware }

  /// The time, or `nil` if no guard requests it.
  @inlinable
  func now() -> Duration? { stopwatch == nil ? nil : stopwatch!() }

  /// Whether every call has begun or ended.
  var hasNoWaitingCalls: Bool { calls.noneWaits }

  /// Whether every call that has ended has been reported, and the guards have passed the reports on.
  var hasReported: Bool { calls.areReported && listeners?.haveDelivered != false }

  /// Waits until every call that has ended has been reported, and the guards have passed the reports on.
  func waitUntilReported() async {
    if !calls.areReported { await calls.waitUntilReported() }
    await listeners?.waitUntilDelivered()
  }

  // MARK: The stages of a call

  /// Records a call that does not begin immediately.
  @usableFromInline
  func didArrive(_ ticket: TicketNumber, ahead: UInt32) {
    if !hasListeners { return }
    calls.willReport()
    calls.addWaiting(WaitingCall(ahead: ahead, time: now()), as: ticket)
  }

  /// The call with a ticket, which no longer waits, and is counted even if it has not waited.
  func takeCounted(_ ticket: TicketNumber, ahead: UInt32) -> WaitingCall {
    if let call = calls.takeWaiting(ticket) { return call }
    if hasListeners { calls.willReport() }
    return WaitingCall(ahead: ahead, time: now())
  }

  /// Records a counted call under its ticket.
  ///
  /// A deferred call is recorded under the ticket with which it runs.
  func didArrive(_ ticket: TicketNumber, _ call: WaitingCall) {
    if hasListeners { calls.addWaiting(call, as: ticket) }
  }

  /// Records that a call is about to give up its turn, unless the call is already recorded.
  func willGiveUp(_ ticket: TicketNumber) {
    didArrive(ticket, takeCounted(ticket, ahead: 0))
  }

  /// The call with a ticket, which no longer waits.
  func takeWaiting(_ ticket: TicketNumber) -> WaitingCall? { calls.takeWaiting(ticket) }

  /// Begins the call with a ticket.
  @usableFromInline
  func begin(_ ticket: TicketNumber) -> GuardedCall {
    let call = calls.takeWaiting(ticket)
    if call == nil, hasListeners { calls.willReport() }
    guard let now = now() else {
      return GuardedCall(ticket: ticket, ahead: call?.ahead ?? 0, isDeferred: call?.isDeferred ?? false)
    }
    return GuardedCall(
      ticket: ticket, ahead: call?.ahead ?? 0, isDeferred: call?.isDeferred ?? false,
      waited: now - (call?.time ?? now), begun: now)
  }

  /// Asks all guards and, if none vetoes the action, tells all of them that it is about to run.
  @usableFromInline
  @inline(never)  // HP11
  func admit<A: Action<State>>(_ action: A, state: State) -> Veto? {
    turn?.admit(action, state: state)
  }

  // MARK: Middleware

  /// Runs an action inside the middleware.
  @usableFromInline
  func run<A: Action<State>>(_ action: A, _ state: inout State) async throws(Stop<A.Failure>) -> A.Output {
    try await middleware!.run(action, &state)
  }

  /// Runs an action inside the middleware, if any, without suspending.
  @inlinable
  @inline(__always)  // HP18
  func apply<A: Action<State>>(_ action: A, _ state: inout State) throws(Stop<A.Failure>) -> A.Output {
    if !hasMiddleware { return try action._applyStopping(&state) }
    return try applyWrapped(action, &state, savesState: A._execution != .inPlace || !editsInPlace)
  }

  @usableFromInline
  func applyWrapped<A: Action<State>>(
    _ action: A,
    _ state: inout State,
    savesState: Bool
  ) throws(Stop<A.Failure>) -> A.Output {
    try middleware!.apply(action, &state, savesState: savesState)
  }

  /// The context that all calls to `next` share, or `nil` without middleware.
  var context: MiddlewareContext? { middleware?.context }

  // MARK: In the turn

  /// Tells the witnesses that an action was refused.
  @usableFromInline
  func didVeto<A: Action<State>>(_ action: A, _ veto: Veto) {
    turn?.didVeto(action, veto)
  }

  /// Tells the guards that an action was committed.
  ///
  /// - Parameter nothing: See `Guards`.
  @usableFromInline
  @inline(never)  // HP11
  func didUpdate<A: Action<State>>(_ action: A, old: State?, orNot nothing: State?, new: State) {
    turn?.didUpdate(action, old: old, orNot: nothing, new: new)
  }

  /// Tells the witnesses that an action failed.
  @usableFromInline
  func willFail<A: Action<State>>(_ action: A, _ error: any Error) {
    turn?.didFail(action, error: error)
  }

  /// Tells the first witness that a group begins.
  ///
  /// The caller calls the returned closure when the group ends, with the group's error, if any.
  func didBegin<G: Sendable>(_ group: G, isSent: Bool) -> (@Sendable ((any Error)?) -> Void)? {
    turn?.didBegin(group, isSent: isSent)
  }

  /// Tells all guards how a call ended.
  ///
  /// Actions that they send run afterward. A call that ends inside `didEnd`, such as one to a closed store, is also
  /// reported afterward. Otherwise, guards that send to each other's closed stores would recurse.
  ///
  /// - Parameter isCounted: Whether this is the last report of a counted call.
  @usableFromInline
  @inline(never)  // HP2
  func report<A: Action<State>>(_ action: A, _ report: ActionReport<State>, isCounted: Bool) {
    let isDone = Nesting.withoutNesting {
      listeners?.didEnd(action, report)
      if isCounted { calls.didReport() }
    }
    if !isDone { Nesting.putOff { self.report(action, report, isCounted: isCounted) } }
  }

  /// Tells all guards how the call of a group ended.
  @inline(never)  // HP2
  func report<G: Sendable>(group: G, _ report: GroupReport) {
    if Nesting.withoutNesting({ listeners?.didEnd(group: group, report) }) { return }
    Nesting.putOff { self.report(group: group, report) }
  }
}

/// Stops the program if a store has too many guards or too much middleware for a small stack.
///
/// Each element of a list calls the next one, so the calls nest.
@usableFromInline
func checkCount(_ count: Int, of kind: StaticString) {
  if count > 100 {
    fatalError("ActorStore: a store has \(count) \(kind), but can have at most 100. Combine some of them into one.")
  }
}

private func makeStopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
  if clock is ContinuousClock { return continuousStopwatch }
  let origin = clock.now
  return { origin.duration(to: clock.now) }
}

/// The stopwatch of the usual clock, shared by all stores, which generic code would read more slowly.
private let continuousStopwatch: @Sendable () -> Duration = {
  let origin = ContinuousClock.now
  return { origin.duration(to: .now) }
}()
