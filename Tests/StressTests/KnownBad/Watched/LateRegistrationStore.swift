/// Gives a subscriber the current state, and hears of it a little later: a commit in between is missed.
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
