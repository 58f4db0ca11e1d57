/// Keeps canceled subscribers, and continues to call their filters.
final class ClingingStore: FanoutStore {
  let fanout = Fanout()

  func publish(_ state: Int) {
    for watcher in fanout.watchers where watcher.isAccepted(state) { watcher.yield(state) }
  }
}
