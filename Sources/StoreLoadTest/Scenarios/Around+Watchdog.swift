import ActorStore
import HeapCalls

extension Around {
  /// A mutation in a store with a watchdog, which takes the same path as in a store without one.
  static let watchdog = Case(name: "added by a watchdog", limit: .ratio(0.5)) { bench in
    let watchdog = TurnWatchdog(limit: .seconds(1)) { _ in }
    return await added(bench, to: Store(Counter(), guards: [watchdog.makeGuard()], name: "watchdog"))
  }

  /// The time per store of a sweep, for a server with a store for each room.
  ///
  /// The ratio compares it with a sweep over a hundredth of the stores, which fit into the caches. The heap bytes are
  /// those that the watchdog adds to each store.
  static func sweep(stores count: Int) -> Case {
    Case(name: "sweep over \(count) stores", weight: 0.5, limit: .bytes(280)) { bench in
      // The first store of each kind allocates memory that all stores share.
      _ = WatchedStores(1)
      _ = Store(Counter())
      var plain: [Store<Counter>] = []
      let without = await heapBytes { plain = (0..<count).map { _ in Store(Counter()) } }
      withExtendedLifetime(plain) { plain = [] }
      bench.beat()
      var watched: WatchedStores?
      let with = await heapBytes { watched = WatchedStores(count) }
      guard let many = watched else { return Figures() }
      let few = WatchedStores(count / 100)
      bench.watch { "\(many.sweeps.total) sweeps" }
      var figures = await bench.compare(to: "sweep over \(count / 100) stores", atLeast: count) { operations in
        await few.sweep(operations)
      } subject: { operations in
        await many.sweep(operations)
      }
      // Only glibc reports how much of its heap is in use.
      if heap_bytes_in_use() > 0 { figures.heapBytes = max(0, with - without) / count }
      return figures
    }
  }

  /// Stores with a watchdog whose timer is so slow that only `sweep` sweeps.
  private final class WatchedStores: Sendable {
    let sweeps = Tally()
    private let watchdog = TurnWatchdog(limit: .seconds(1_000_000)) { _ in }
    private let stores: [Store<Counter>]

    init(_ count: Int) {
      stores = (0..<count).map { [watchdog] _ in Store(Counter(), guards: [watchdog.makeGuard()], name: "room") }
    }

    /// Sweeps until it has sampled about this many stores, and returns the nanoseconds scaled to exactly this many.
    func sweep(_ operations: Int) async -> Double {
      let count = max(1, operations / stores.count)
      let time = await nanoseconds {
        for _ in 0..<count {
          let time = Duration.seconds(1_000_000) * self.sweeps.next()
          _ = self.watchdog.sweep { time }
        }
      }
      return time * Double(operations) / Double(count * stores.count)
    }
  }
}
