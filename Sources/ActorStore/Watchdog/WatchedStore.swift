/// Connects a store to a watchdog.
///
/// The store's queue keeps this object, so the watchdog exists as long as one of its stores does. When the queue is
/// released, the watchdog forgets the store.
final class WatchedStore: Sendable {
  private let watchdog: TurnWatchdog
  private let place: Int
  private let name: StoreName

  /// Adds a store to a watchdog, unless the watchdog already watches it.
  static func watch(_ store: GuardedStore, by watchdog: TurnWatchdog) {
    let isWatched = store.queue.keptObjects.contains { ($0 as? WatchedStore)?.watchdog === watchdog }
    if !isWatched { store.queue.keep(WatchedStore(store, watchdog)) }
  }

  /// The name of a store, or `nil` if no watchdog watches it.
  static func name(of queue: TurnQueue) -> String? {
    queue.keptObjects.lazy.compactMap { $0 as? WatchedStore }.first?.name.text
  }

  private init(_ store: GuardedStore, _ watchdog: TurnWatchdog) {
    name = store.name
    self.watchdog = watchdog
    place = watchdog.add(store)
  }

  deinit {
    watchdog.remove(place)
  }
}

/// The guard that adds each of its stores to a watchdog, and leaves nothing behind in the store.
///
/// A guard in the store would cost each of its actions more than the watchdog itself, which only samples.
struct WatchdogGuard<State: Sendable>: PerStoreGuard {
  let watchdog: TurnWatchdog

  func makeGuard(for store: GuardedStore) -> Self? {
    WatchedStore.watch(store, by: watchdog)
    return nil
  }
}
