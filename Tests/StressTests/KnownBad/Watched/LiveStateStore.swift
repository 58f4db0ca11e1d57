/// Delivers the state at the time of delivery instead of the state that the filter accepted.
final class LiveStateStore: FanoutStore {
  let fanout = Fanout()

  func commit() async -> Bool {
    await fanout.takeTurn()
    let state = fanout.advance()
    let told = fanout.watchers.filter { watcher in state.map { !watcher.hasLeft && watcher.isAccepted($0) } ?? false }
    fanout.handOff()
    await Task.yield()
    for watcher in told { watcher.yield(fanout.count) }
    return state != nil
  }
}
