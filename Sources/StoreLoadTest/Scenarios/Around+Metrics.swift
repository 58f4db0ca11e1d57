import ActorStore
import HeapCalls

extension Around {
  /// Metrics of many stores, as in a server with a store for each room.
  ///
  /// The ratio compares a mutation in these stores with one in the same number of stores without guards. The heap bytes
  /// are those that metrics add to each store. Any other guard would add about half of them.
  static func sharedMetrics(stores count: Int) -> Case {
    Case(name: "metrics of \(count) stores", limit: .bytes(450)) { bench in
      await sharedMetrics(bench, stores: count)
    }
  }

  private static func sharedMetrics(_ bench: Bench, stores count: Int) async -> Figures {
    let (metrics, dispatched) = (StoreMetrics(), Tally())
    var (plain, counted): ([Store<Counter>], [Store<Counter>]) = ([], [])
    plain.reserveCapacity(count)
    counted.reserveCapacity(count)
    // The first store of each kind allocates memory that all stores share.
    await mutations([Store(Counter())], 1)
    await mutations([Store(Counter(), guards: [StoreMetrics().makeGuard()])], 1)
    let without = await heapBytes {
      for _ in 0..<count { plain.append(Store(Counter())) }
      await mutations(plain, count)
    }
    bench.beat()
    let with = await heapBytes {
      for _ in 0..<count { counted.append(Store(Counter(), guards: [metrics.makeGuard()], name: "room")) }
      await mutations(counted, count)
    }
    dispatched.add(count)
    bench.watch { "\(dispatched.total) mutations" }
    var figures = await bench.compare(to: "\(count) stores without guards") { [plain] operations in
      await nanoseconds { await mutations(plain, operations) }
    } subject: { [counted] operations in
      dispatched.add(operations)
      return await nanoseconds { await mutations(counted, operations) }
    }
    // Only glibc reports how much of its heap is in use.
    if heap_bytes_in_use() > 0 { figures.heapBytes = (with - without) / count }
    let actions = metrics.actions
    let commits = UInt64(dispatched.total)
    bench.expect("names of actions", actions.map(\.name), ["Increment"])
    bench.expect("committed actions", actions.map { $0.counts[.committed] }, [commits])
    bench.expect("times", actions.map { [$0.waited.count, $0.ran.count] }, [[commits, commits]])
    bench.expect("stores", metrics.queues.map(\.stores), [count])
    counted = []
    bench.expect("stores after their release", metrics.queues, [])
    return figures
  }

  /// Dispatches to stores in an order in which successive stores are far apart in memory.
  @concurrent
  private static func mutations(_ stores: [Store<Counter>], _ count: Int) async {
    // The stride is a prime that does not divide the number of stores, so the walk can visit all of them.
    var position = 0
    for step in 0..<count {
      position = (position + 7_919) % stores.count
      await stores[position].dispatch(Increment(task: 0))
      _ = work(step, 1)
    }
  }
}
