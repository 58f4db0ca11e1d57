import ActorStore

/// A store that keeps its newest state while it is watched, so that each published state has an old one.
///
/// In place of a state with a wrong old one, a stream delivers -1. The default implementations are correct.
protocol KeepingStore: FanoutStore {
  var newest: NewestCount { get }

  /// Whether to forget the newest state when this many watchers have left.
  func forgets(_ left: Int) -> Bool
}

/// The newest state, or nothing.
final class NewestCount: Sendable {
  private let state = Locked<(count: Int?, left: Int)>((nil, 0))

  func start(_ current: Int) -> Int {
    state.withLock { state in
      let count = state.count ?? current
      state.count = count
      return count
    }
  }

  func replace(_ new: Int) -> Int? {
    state.withLock { state in
      guard let old = state.count else { return nil }
      state.count = new
      return old
    }
  }

  /// Forgets the state if watchers have left since the last call, and a condition is met.
  func forget(_ left: Int, if isUnused: Bool) {
    state.withLock { state in
      if left > state.left && isUnused { state.count = nil }
      state.left = left
    }
  }
}

extension KeepingStore {
  func publish(_ state: Int) {
    let left = fanout.watchers.count(where: \.hasLeft)
    newest.forget(left, if: forgets(left))
    guard let old = newest.replace(state) else { return }
    for watcher in fanout.watchers { watcher.offer(old == state - 1 ? state : -1) }
  }

  func forgets(_ left: Int) -> Bool { left == fanout.watchers.count }

  func states(keepingNewest count: Int?, _ filter: Filter?) async -> AsyncStream<Int> {
    let (states, watcher) = Fanout.Watcher.make(keepingNewest: count, filter)
    let revision = fanout.count
    watcher.offer(newest.start(revision) == revision ? revision : -1)
    // Ends the stream if the store is closed.
    fanout.add(watcher, startingWith: false)
    return states
  }
}

/// The correct store, which replaces no implementation.
final class FairKeepingStore: KeepingStore {
  let fanout = Fanout()
  let newest = NewestCount()
}

/// Replaces the newest state after the commit, so a watcher that comes in between starts with an old state.
final class LateReplacingStore: KeepingStore {
  let fanout = Fanout()
  let newest = NewestCount()

  func commit() async -> Bool {
    await fanout.takeTurn()
    defer { fanout.handOff() }
    guard let state = fanout.advance() else { return false }
    await Task.yield()
    publish(state)
    return true
  }
}

/// Forgets the newest state when one watcher leaves, so the others miss commits.
final class ForgettingStore: KeepingStore {
  let fanout = Fanout()
  let newest = NewestCount()

  func forgets(_ left: Int) -> Bool { true }
}
