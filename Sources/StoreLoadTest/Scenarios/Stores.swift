import ActorStore
import HeapCalls

/// The cost of a store: dispatches to many stores that share the caches, the creation of stores, and their memory.
///
/// A program may have a store for each entity. Dispatches to many stores mostly miss the caches, so their cost depends
/// on the amount of memory that a dispatch touches.
enum Stores {
  static let scenario = Scenario(
    name: "stores", summary: "mutations over 100000 stores, and the cost of a store",
    sizes: [.dispatches]
  ) { options in
    let cases = [
      mutations(stores: 100_000, atMost: 1), mutations(stores: 100, atMost: 1.25),
      creation("create and release", limit: 9, than: BareCounter.name, { BareCounter() }) { Store(Counter()) },
      creation("create with a logger", limit: 8, than: "a store", { Store(Counter()) }) {
        Store(Counter(), guards: [logger])
      },
    ]
    // Only glibc reports how much of its heap is in use.
    if heap_bytes_in_use() == 0 { return cases }
    return cases + [
      memory("an idle store", limit: 450) { Store(Counter()) },
      memory("an idle store with a logger", limit: 750) { Store(Counter(), guards: [logger]) },
    ]
  }

  private static let tasks = 8
  private static let logger = ActionLogger<Counter>(to: LogSink { _ in })

  /// Compares mutations over many stores with calls of as many bare actors.
  ///
  /// Each task visits the stores in a different order, which the hardware prefetcher cannot predict. With a shared
  /// order, the tasks would form a convoy after their first collision.
  private static func mutations(stores count: Int, atMost limit: Double) -> Case {
    Case(name: "\(count) stores, mutation, \(tasks) tasks", limit: .ratio(limit)) { bench in
      let actors = (0..<count).map { _ in BareCounter() }
      let stores = (0..<count).map { _ in Store(Counter()) }
      let dispatched = Tally()
      let figures = await bench.compare(to: "\(count) bare actors", atLeast: tasks) { operations in
        await nanoseconds {
          await inTasks(tasks, sharing: operations) { task, share in await call(actors, share, task) }
        }
      } subject: { operations in
        dispatched.add(operations)
        return await nanoseconds {
          await inTasks(tasks, sharing: operations) { task, share in await dispatch(stores, share, task) }
        }
      }
      var total = 0
      for store in stores { total += await store.state.count }
      bench.expect("counts (P1)", total, dispatched.total)
      return figures
    }
  }

  /// The positions that one task visits, in order.
  private struct Walk {
    private let count: Int
    private let step: Int
    private var position: Int

    /// None of these primes divides a count that the scenario uses, so each walk visits every position.
    private static let steps = [7_919, 7_927, 7_933, 7_937, 7_949, 7_951, 7_963, 7_993]

    init(over count: Int, by task: Int) {
      self.count = count
      step = Self.steps[task % Self.steps.count]
      position = count / tasks * task
    }

    mutating func next() -> Int {
      position = (position + step) % count
      return position
    }
  }

  @concurrent
  private static func call(_ actors: [BareCounter], _ count: Int, _ task: Int) async {
    var walk = Walk(over: actors.count, by: task)
    for index in 0..<count {
      _ = await actors[walk.next()].increment(by: task)
      _ = work(index, 1)
    }
  }

  @concurrent
  private static func dispatch(_ stores: [Store<Counter>], _ count: Int, _ task: Int) async {
    var walk = Walk(over: stores.count, by: task)
    for index in 0..<count {
      await stores[walk.next()].dispatch(Increment(task: task))
      _ = work(index, 1)
    }
  }

  // MARK: Creation and memory

  /// Compares the creation and release of objects with those of others, a thousand at a time.
  private static func creation<Object: AnyObject, Other: AnyObject>(
    _ name: String, limit: Double, than other: String, _ makeOther: @escaping @Sendable () -> Other,
    _ make: @escaping @Sendable () -> Object
  ) -> Case {
    Case(name: name, weight: 0.5, limit: .ratio(limit)) { bench in
      await bench.compare(to: other) { count in
        await nanoseconds { create(count, makeOther) }
      } subject: { count in
        await nanoseconds { create(count, make) }
      }
    }
  }

  private static func create<Object: AnyObject>(_ count: Int, _ make: () -> Object) {
    var objects: [Object] = []
    objects.reserveCapacity(min(count, 1_000))
    for _ in 0..<count {
      if objects.count == 1_000 { objects.removeAll(keepingCapacity: true) }
      objects.append(make())
    }
  }

  private static func memory(_ name: String, limit: Int, _ make: @escaping @Sendable () -> Store<Counter>) -> Case {
    Case(name: name, weight: 0.2, limit: .bytes(limit)) { _ in
      let count = 10_000
      // The first store allocates memory that all stores share.
      var stores = [make()]
      stores.reserveCapacity(count + 1)
      let bytes = await heapBytes { for _ in 0..<count { stores.append(make()) } } / count
      withExtendedLifetime(stores) {}
      return Figures(operations: count, heapBytes: bytes)
    }
  }
}
