/// A closed store, of whatever state, for which a `Drain` waits.
protocol DrainedStore: Sendable {
  /// Waits until every accepted call has ended and has been reported, or until the current task is canceled.
  func waitForEnd() async throws(StateWaitError)

  var diagnostics: StoreDiagnostics { get }
  var queue: TurnQueue { get }
}

/// A wait for the ends of several stores, with one time limit.
final class Drain: Sendable {
  private let stores: [any DrainedStore]
  /// The indices of the stores that have not ended.
  private let rest: Locked<Set<Int>>
  private let end = FirstValue<StateWaitError?>()

  private init(_ stores: [any DrainedStore]) {
    self.stores = stores
    rest = Locked(Set(stores.indices))
  }

  /// Waits until all stores have ended, and returns the diagnostics of those that have not ended at the time limit.
  ///
  /// The waits are in tasks of their own, so a cancellation of the current task does not end them.
  ///
  /// - Parameter atHalf: A closure to call at half of the limit, just before the sent groups are canceled.
  static func wait(
    for stores: [any DrainedStore],
    within limit: Duration?,
    _ clock: any Clock<Duration>,
    atHalf: @escaping @Sendable () -> Void = {}
  ) async throws(StateWaitError) -> [StoreDiagnostics] {
    if stores.isEmpty { return [] }
    let drain = Drain(stores)
    var tasks = stores.indices.map { index in inheritingTask { await drain.wait(for: index) } }
    if let limit { tasks.append(inheritingTask { await drain.end(after: limit, clock, atHalf) }) }
    let error = await drain.end.get()
    for task in tasks { task.cancel() }
    if let error { throw error }
    return drain.rest.withLock { $0 }.sorted().map { stores[$0].diagnostics }
  }

  private func wait(for index: Int) async {
    do throws(StateWaitError) {
      try await stores[index].waitForEnd()
      let isLast = rest.withLock { rest in
        rest.remove(index)
        return rest.isEmpty
      }
      if isLast { end.set(nil) }
    } catch {
      // Only the end of the whole wait cancels the task.
      if error != .cancelled { end.set(error) }
    }
  }

  private func end(after limit: Duration, _ clock: any Clock<Duration>, _ atHalf: @Sendable () -> Void) async {
    try? await clock.sleep(for: limit / 2)
    if Task.isCancelled { return }
    atHalf()
    for index in rest.withLock({ $0 }) { stores[index].queue.cancelSentGroups() }
    try? await clock.sleep(for: limit - limit / 2)
    end.set(nil)
  }
}

extension Store: DrainedStore {
  /// Whether every call that the closed store has accepted has ended and has been reported.
  nonisolated var hasEnded: Bool { queue.isDrained && guards?.hasReported != false }

  nonisolated func waitForEnd() async throws(StateWaitError) {
    do throws(StateWaitError) {
      _ = try await select().first(isForDrain: true, within: nil, ContinuousClock()) { _ in false }
    } catch {
      // The stream of states ends when the last action and the last group end.
      if error != .closed { throw error }
    }
    await guards?.waitUntilReported()
  }
}
