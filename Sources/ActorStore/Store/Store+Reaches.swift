extension Store {
  /// Waits for the first committed state that fits, from the current one on, and returns it.
  ///
  /// ```swift
  /// let signedIn = try await store.reaches { $0.user != nil }
  /// ```
  ///
  /// Returns at once when the current state fits. No state is left out, however briefly it lasts. Afterwards the store
  /// may have gone on: what is returned is the state that fitted.
  ///
  /// Inside an action of the same store nothing can be committed until the action ends, and so it throws
  /// ``NotReached/wouldWaitForItself`` unless the current state fits; and wherever else, by way of any number of stores,
  /// the wait would be one for itself (P8).
  ///
  /// - Parameters:
  ///   - limit: How long to wait at most; nil to wait as long as it takes. The current state is looked at even if it is
  ///     zero or less.
  ///   - clock: What measures that time. The wait ends on time whether the clock's `sleep` heeds cancellation or not; if
  ///     it throws, the wait ends as ``NotReached/cancelled``.
  ///   - condition: Called once for each state, in order and without a lock, until one fits: by the committing task in
  ///     its turn, so keep it short, and for states that are there already by the waiting one.
  /// - Throws: ``NotReached``, which says why the wait has ended.
  public nonisolated(nonsending) func reaches(
    within limit: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    _ condition: @escaping @Sendable (State) -> Bool
  ) async throws(NotReached) -> State {
    if Task.isCancelled { throw .cancelled }
    let noted = NotedWait()
    let subscription = subscription(.unbounded) { _, state in
      guard condition(state) else { return false }
      // From here on nobody is waited for, even if it takes the waiting task a while to hear of it.
      noted.end()
      return true
    }
    if let state = subscription.take() { return state }
    defer { noted.end() }
    let entry = WaitsAcrossStores.beginWait(forCommitOf: line, noted) {
      if noted.revoke() { subscription.leave() }
    }
    if case .cycle = entry {
      // It may have come just before.
      if let state = subscription.take() { return state }
      throw .wouldWaitForItself
    }
    let result = await wait(for: subscription, within: limit, clock)
    if case .failure = result, noted.isRevoked { throw .wouldWaitForItself }
    return try result.get()
  }

  @concurrent
  private nonisolated func wait(
    for subscription: Subscription<State>,
    within limit: Duration?,
    _ clock: any Clock<Duration>
  ) async -> Result<State, NotReached> {
    guard let limit else { return await wait(for: subscription) }
    let deadline = Deadline(for: subscription)
    // Not a child task, whose end the wait would have to await: a clock may ignore cancellation.
    let timer = inheritingTask {
      do { try await clock.sleep(for: limit) } catch { return deadline.end(with: .failure(.cancelled)) }
      deadline.pass()
    }
    // Only then cancelled: the end of a cancelled sleep is no reason.
    let result = await deadline.result(of: wait(for: subscription))
    timer.cancel()
    return result
  }

  private nonisolated func wait(for subscription: Subscription<State>) async -> Result<State, NotReached> {
    let state = await withTaskCancellationHandler {
      await subscription.next(isNoted: true)
    } onCancel: {
      subscription.leave()
    }
    if let state { return .success(state) }
    return .failure(Task.isCancelled ? .cancelled : .closed)
  }
}

/// What ends a wait for a state when its time is up.
///
/// A timer may sleep on after the wait has ended. From then on it holds this, and nothing else.
private final class Deadline<State: Sendable>: Sendable {
  private struct Wait: Sendable {
    var subscription: Subscription<State>?
    var result: Result<State, NotReached>?
    /// Whether the timer is looking at the states that came in time.
    var isPassing = false
    var waiter: Parked<Void>?
  }

  private let wait: Locked<Wait>

  init(for subscription: Subscription<State>) {
    wait = Locked(Wait(subscription: subscription))
  }

  /// The time is up.
  func pass() {
    let subscription = wait.withLock { wait in
      wait.isPassing = wait.subscription != nil
      return wait.subscription
    }
    // A state that came in time counts, even if the waiting task has not taken it yet.
    end(with: subscription?.take().map { .success($0) } ?? .failure(.timedOut))
  }

  /// Ends the wait, unless it has ended.
  func end(with result: Result<State, NotReached>) {
    let (subscription, waiter) = wait.withLock { wait in
      if wait.subscription != nil { wait.result = result }
      wait.isPassing = false
      return (wait.subscription, wait.waiter.take())
    }
    subscription?.leave()
    waiter?.resume(returning: ())
  }

  /// The wait has ended, with `result` if it was not ended here.
  func result(of result: Result<State, NotReached>) async -> Result<State, NotReached> {
    // If the timer has taken a state, this task did not get it.
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

/// Why a state that was waited for has not come.
public enum NotReached: Error, Hashable, Sendable {
  /// The waiting task was cancelled.
  case cancelled
  /// The time was up.
  case timedOut
  /// The store was closed, and its last state did not fit.
  case closed
  /// Whoever waits holds up the state it would wait for: it is below the action that has the turn, or below one that
  /// this waits for, by way of any number of stores.
  case wouldWaitForItself
}
