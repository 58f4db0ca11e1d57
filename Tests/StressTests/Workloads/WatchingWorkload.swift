import ActorStoreTesting
import ActorStore

/// Tasks that commit to a store, and tasks that watch it until it closes.
///
/// The workload is the same for the library's store and for the known-bad stores.
struct WatchingWorkload: Sendable {
  var committers = 2
  var commits = 2
  var watchers: [Watcher.Kind] = [.all, .newest, .filtered]
  /// Whether there is one more watcher, which is canceled during the run.
  var cancels = false
  /// Whether another task closes the store during the run.
  var closesEarly = false

  func run<S: WatchedSubject>(on _: S.Type) async throws {
    let store = S()
    let committed = Locked(0)
    let early = watchers.map { Watcher($0) }
    let cancelled = Watcher(.filtered)
    let sure: @Sendable () -> Int = { committed.withLock { $0 } }
    var tasks = early.enumerated().map { index, watcher in
      Simulation.task(name: "watcher \(index)") { await watcher.watch(store, commits: sure) }
    }
    var committing = (0..<committers).map { index in
      Simulation.task(name: "committer \(index)") {
        for _ in 0..<commits {
          if await store.commit() { committed.withLock { $0 += 1 } }
        }
      }
    }
    if closesEarly { committing.append(Simulation.task(name: "closer") { await store.close() }) }
    if cancels {
      let leaving = Simulation.task(name: "leaver") { await cancelled.watch(store, commits: sure) }
      tasks.append(leaving)
      try await cancel(leaving, cancelled, store) { committed.withLock { $0 += 1 } }
    }
    for task in committing { await task.value }
    await store.close()
    for task in tasks { await task.value }
    for watcher in early { try watcher.expectSound(last: sure()) }
    try cancelled.expectSound(last: nil)
  }

  /// Cancels a watcher, and checks that its filter is not called after the watcher ends.
  private func cancel<S: WatchedSubject>(
    _ task: Task<Void, Never>,
    _ watcher: Watcher,
    _ store: S,
    committed: () -> Void
  ) async throws {
    await Task.yield()
    task.cancel()
    await task.value
    let asked = watcher.asked
    if await store.commit() { committed() }
    // With several threads, a call that was about to begin may still occur (P13).
    if Simulation.isRunning { try Simulation.expect(watcher.asked == asked, "filter called after cancellation") }
  }
}
