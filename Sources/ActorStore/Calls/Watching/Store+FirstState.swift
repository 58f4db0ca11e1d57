extension Store {
  /// Waits for and returns the first committed state that satisfies a condition, starting with the current state.
  ///
  /// ```swift
  /// let signedIn = try await store.firstState { $0.user != nil }
  /// ```
  ///
  /// Returns immediately if the current state satisfies the condition. No state is skipped, however briefly it lasts.
  /// By the time the call returns, the store may have moved on to a later state. The result is the state that satisfied
  /// the condition. If the task is already canceled, the call throws ``StateWaitError/cancelled`` without checking a
  /// state.
  ///
  /// Inside an action that has the turn of the same store, no commit can occur until the action ends. There, the call
  /// throws ``StateWaitError/wouldDeadlock`` unless the current state satisfies the condition. It also throws this
  /// error wherever else the wait would close a cycle, through any number of stores. See P8 in <doc:Promises>.
  ///
  /// - Parameters:
  ///   - condition: A closure that is called once for each state, in order and without a lock, until it returns `true`.
  ///     The committing task calls it in its turn, so keep it short. The waiting task calls it for the states that it
  ///     finds when it is not suspended, such as the current one.
  ///   - limit: The maximum time to wait, or `nil` to wait indefinitely. The current state is checked even if the limit
  ///     is zero or negative.
  ///   - clock: The clock that measures the limit. The wait ends on time whether or not the clock's `sleep` responds to
  ///     cancellation. If `sleep` throws, the wait ends with ``StateWaitError/cancelled``.
  /// - Throws: ``StateWaitError``, which indicates why the wait ended.
  public nonisolated(nonsending) func firstState(
    where condition: @escaping @Sendable (State) -> Bool,
    within limit: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StateWaitError) -> State {
    try await firstState(isForDrain: false, where: condition, within: limit, clock)
  }

  /// Waits for a state that satisfies a condition, or until the store has no more states.
  ///
  /// - Parameter isForDrain: Whether the caller waits for the end of all actions, and so also for overlapping ones.
  nonisolated(nonsending) func firstState(
    isForDrain: Bool,
    where condition: @escaping @Sendable (State) -> Bool,
    within limit: Duration?,
    _ clock: any Clock<Duration>
  ) async throws(StateWaitError) -> State {
    if Task.isCancelled { throw .cancelled }
    let noted = NotedWait()
    let subscription = subscription(.unbounded, isInGroup: queue.isOfGroup) { _, state in
      guard condition(state) else { return false }
      // The wait is over now, even if the waiting task has yet to run.
      noted.end()
      return true
    }
    if let state = subscription.takeAccepted() { return state }
    defer { noted.end() }
    let entry = WaitGraph.addWait(forCommitOf: queue, isForDrain: isForDrain, noted) {
      if noted.revoke() { subscription.leave() }
    }
    if case .cycle = entry {
      // The state may have been committed just before.
      if let state = subscription.takeAccepted() { return state }
      throw .wouldDeadlock
    }
    let result = await wait(for: subscription, within: limit, clock)
    if case .failure = result, noted.isRevoked { throw .wouldDeadlock }
    return try result.get()
  }

  @concurrent
  private nonisolated func wait(
    for subscription: Subscription<State>,
    within limit: Duration?,
    _ clock: any Clock<Duration>
  ) async -> Result<State, StateWaitError> {
    guard let limit else { return await wait(for: subscription) }
    let deadline = Deadline(for: subscription)
    // The timer is not a child task, because the wait would have to await its end, and a clock may ignore cancellation.
    let timer = inheritingTask {
      do { try await clock.sleep(for: limit) } catch { return deadline.end(with: .failure(.cancelled)) }
      deadline.pass()
    }
    // The timer is canceled only now, because the end of a canceled sleep is not a reason to end the wait.
    let result = await deadline.result(of: wait(for: subscription))
    timer.cancel()
    return result
  }

  private nonisolated func wait(for subscription: Subscription<State>) async -> Result<State, StateWaitError> {
    let state = await withTaskCancellationHandler {
      await subscription.next(isNoted: true)
    } onCancel: {
      subscription.leave()
    }
    if let state { return .success(state) }
    return .failure(Task.isCancelled ? .cancelled : .closed)
  }
}

/// Ends a wait for a state when its time limit expires.
///
/// A timer may continue to sleep after the wait ends. From then on, it holds only this object.
private final class Deadline<State: Sendable>: Sendable {
  private struct Wait: Sendable {
    var subscription: Subscription<State>?
    var result: Result<State, StateWaitError>?
    /// Whether the timer is checking the states that arrived in time.
    var isPassing = false
    var waiter: Parked<Void>?
  }

  private let wait: Locked<Wait>

  init(for subscription: Subscription<State>) {
    wait = Locked(Wait(subscription: subscription))
  }

  /// Ends the wait because its time limit has expired.
  func pass() {
    let subscription = wait.withLock { wait in
      wait.isPassing = wait.subscription != nil
      return wait.subscription
    }
    // A state that arrived in time counts, even if the waiting task has not taken it yet.
    end(with: subscription?.takeAccepted().map { .success($0) } ?? .failure(.timedOut))
  }

  /// Ends the wait unless it has already ended.
  func end(with result: Result<State, StateWaitError>) {
    let (subscription, waiter) = wait.withLock { wait in
      if wait.subscription != nil { wait.result = result }
      wait.isPassing = false
      return (wait.subscription, wait.waiter.take())
    }
    subscription?.leave()
    waiter?.resume(returning: ())
  }

  /// The final result of the wait, which is `result` if this object did not end the wait.
  func result(of result: Result<State, StateWaitError>) async -> Result<State, StateWaitError> {
    // If the timer took a state, this task did not get it.
    if case .failure = result { await waitWhilePassing() }
    let (subscription, own) = wait.withLock { wait in
      defer { wait.subscription = nil }
      return (wait.subscription, wait.result)
    }
    subscription?.leave()
    if case .success = result { return result }
    return own ?? result
  }

  private func waitWhilePassing() async {
    if !wait.withLock({ $0.isPassing }) { return }
    await park { (waiter: Parked<Void>) in
      let mustWait = wait.withLock { wait in
        if wait.isPassing { wait.waiter = waiter }
        return wait.isPassing
      }
      if !mustWait { waiter.resume(returning: ()) }
    }
  }
}

/// The reason that a wait for a state ended without that state.
@frozen public enum StateWaitError: Error, Hashable, Sendable {
  /// The waiting task was canceled.
  case cancelled
  /// The time limit expired.
  case timedOut
  /// The store was closed, and its remaining actions ended before a state satisfied the condition.
  ///
  /// If the waiting task is not nested in a running group of the store, the wait also lasts until the running groups
  /// have ended.
  case closed
  /// The wait would close a cycle.
  ///
  /// The waiting task holds up the state that it would wait for. It is nested in the action that holds the turn, or in
  /// an action that the turn's holder waits for, through any number of stores. For ``Store/closeAndDrain()``, the same
  /// applies to overlapping actions and groups, which hold no turn, and to actions of other stores whose deferred calls
  /// the store has accepted.
  case wouldDeadlock
}
