import ActorStoreTesting
import ActorStore

/// Tasks that commit, others that watch from some time on, one that is cancelled; and the store is closed.
///
/// The same for this library's store and for those that are known to be wrong.
struct WatchingWorkload: Sendable {
  var committers = 2
  var commits = 2
  var watchers: [Watcher.Kind] = [.all, .newest, .filtered]
  /// Whether another watcher is cancelled at some time.
  var cancels = false
  /// Whether the store is closed at some time, not at the end.
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

  /// Who was cancelled and has ended is asked nothing more.
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
    // On several threads a call that was about to be made may still be (P13).
    if Simulation.isRunning { try Simulation.expect(watcher.asked == asked, "was asked after it had been cancelled") }
  }
}
