extension Selected {
  /// Waits for and returns the first value that satisfies a condition, starting with the current value.
  ///
  /// ```swift
  /// let user = try await store.select(\.user).first { $0 != nil }
  /// let ready = try await store.select().first(within: .seconds(5)) { $0.isReady }
  /// ```
  ///
  /// Returns immediately if the current value satisfies the condition. No value is skipped, however briefly it lasts.
  /// The result is the value that satisfied the condition. By the time the call returns, the store may have moved on to
  /// a later value. If the task is already canceled, the call throws ``StateWaitError/cancelled`` without checking a
  /// value.
  ///
  /// Inside an action that has the turn of the same store, no commit can occur until the action ends. There, the call
  /// throws ``StateWaitError/wouldDeadlock`` unless the current value satisfies the condition. It also throws this
  /// error wherever else the wait would close a cycle, through any number of stores. See P8 in <doc:Promises>.
  ///
  /// - Parameters:
  ///   - limit: The maximum time to wait, or `nil` to wait indefinitely. The current value is checked even if the limit
  ///     is zero or negative.
  ///   - clock: The clock that measures the limit. The wait ends on time whether or not the clock's `sleep` responds to
  ///     cancellation. If `sleep` throws, the wait ends with ``StateWaitError/cancelled``.
  ///   - condition: A closure that is called once for each value that is not a repeat, in order and without a lock,
  ///     until it returns `true`. If the handle has a ``SelectionComparison``, the closure is called for repeats, too.
  ///     The committing task calls it in its turn, so keep it short. The waiting task calls it for the values that it
  ///     finds when it is not suspended, such as the current one.
  /// - Throws: ``StateWaitError``, which indicates why the wait ended.
  public nonisolated(nonsending) func first(
    within limit: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    where condition: @escaping @Sendable (Value) -> Bool
  ) async throws(StateWaitError) -> Value {
    try await first(isForDrain: false, within: limit, clock, where: condition)
  }

  /// Waits for a value that satisfies a condition, or until the store has no more values.
  ///
  /// - Parameter isForDrain: Whether the caller waits for the end of all actions, and so also for overlapping ones.
  nonisolated(nonsending) func first(
    isForDrain: Bool,
    within limit: Duration?,
    _ clock: any Clock<Duration>,
    where condition: @escaping @Sendable (Value) -> Bool
  ) async throws(StateWaitError) -> Value {
    if Task.isCancelled { throw .cancelled }
    let noted = NotedWait()
    let subscription = subscription(.unbounded, isInGroup: store.queue.isOfGroup) { _, value in
      guard condition(value) else { return false }
      // The wait is over now, even if the waiting task has yet to run.
      noted.end()
      return true
    }
    if let value = subscription.takeAccepted() { return value }
    defer { noted.end() }
    let entry = WaitGraph.addWait(forCommitOf: store.queue, isForDrain: isForDrain, noted) {
      if noted.revoke() { subscription.leave() }
    }
    if case .cycle = entry {
      // The value may have been committed just before.
      if let value = subscription.takeAccepted() { return value }
      throw .wouldDeadlock
    }
    let result = await wait(for: subscription, within: limit, clock)
    if case .failure = result, noted.isRevoked { throw .wouldDeadlock }
    return try result.get()
  }

  @concurrent
  private func wait(
    for subscription: Subscription<Value>,
    within limit: Duration?,
    _ clock: any Clock<Duration>
  ) async -> Result<Value, StateWaitError> {
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

  private func wait(for subscription: Subscription<Value>) async -> Result<Value, StateWaitError> {
    let value = await withTaskCancellationHandler {
      await subscription.next(isNoted: true)
    } onCancel: {
      subscription.leave()
    }
    if let value { return .success(value) }
    return .failure(Task.isCancelled ? .cancelled : .closed)
  }
}

/// Ends a wait for a value when its time limit expires.
///
/// A timer may continue to sleep after the wait ends. From then on, it holds only this object.
private final class Deadline<Value: Sendable>: Sendable {
  private struct Wait: Sendable {
    var subscription: Subscription<Value>?
    var result: Result<Value, StateWaitError>?
    /// Whether the timer is checking the values that arrived in time.
    var isPassing = false
    var waiter: Parked<Void>?
  }

  private let wait: Locked<Wait>

  init(for subscription: Subscription<Value>) {
    wait = Locked(Wait(subscription: subscription))
  }

  /// Ends the wait because its time limit has expired.
  func pass() {
    let subscription = wait.withLock { wait in
      wait.isPassing = wait.subscription != nil
      return wait.subscription
    }
    // A value that arrived in time counts, even if the waiting task has not taken it yet.
    end(with: subscription?.takeAccepted().map { .success($0) } ?? .failure(.timedOut))
  }

  /// Ends the wait unless it has already ended.
  func end(with result: Result<Value, StateWaitError>) {
    let (subscription, waiter) = wait.withLock { wait in
      if wait.subscription != nil { wait.result = result }
      wait.isPassing = false
      return (wait.subscription, wait.waiter.take())
    }
    subscription?.leave()
    waiter?.resume(returning: ())
  }

  /// The final result of the wait, which is `result` if this object did not end the wait.
  func result(of result: Result<Value, StateWaitError>) async -> Result<Value, StateWaitError> {
    // If the timer took a value, this task did not get it.
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

/// The reason that a wait for a value of a store ended without that value.
@frozen public enum StateWaitError: Error, Hashable, Sendable {
  /// The waiting task was canceled.
  case cancelled
  /// The time limit expired.
  case timedOut
  /// The store was closed, and its remaining actions ended before a value satisfied the condition.
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
