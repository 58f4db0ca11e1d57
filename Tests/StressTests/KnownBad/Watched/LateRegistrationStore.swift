/// Gives a subscriber the current state before registering it, so the subscriber misses a commit in between.
final class LateRegistrationStore: FanoutStore {
  let fanout = Fanout()

  func states(keepingNewest count: Int?, _ filter: Filter?) async -> AsyncStream<Int> {
    let (states, watcher) = Fanout.Watcher.make(keepingNewest: count, filter)
    watcher.offer(fanout.count)
    await Task.yield()
    fanout.add(watcher, startingWith: false)
    return states
  }
}
