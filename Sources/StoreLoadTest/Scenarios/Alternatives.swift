import ActorStore
import Synchronization

/// The cost of alternatives to a store: a lock, and a serial queue for asynchronous work.
///
/// The README shows these figures next to those of the `dispatch` scenario.
enum Alternatives {
  static let scenario = Scenario(
    name: "alternatives", summary: "a lock and a hand-written serial queue, for comparison",
    sizes: [.tasks, .dispatches]
  ) { options in
    let sizes = options.tasks.map { [$0] } ?? [1, 64]
    return sizes.flatMap { tasks in [lock(tasks), serialQueue(tasks)] }
  }

  private static func title(_ name: String, _ tasks: Int) -> String { "\(name), \(tasks) task\(tasks == 1 ? "" : "s")" }

  private final class LockedCounter: Sendable {
    private let counter = Mutex(Counter())

    var count: Int { counter.withLock { $0.count } }

    func increment(by task: Int) -> Int {
      counter.withLock {
        $0.count &+= 1
        $0.last = task
        return $0.count
      }
    }
  }

  private static func lock(_ tasks: Int) -> Case {
    Case(name: title("Mutex", tasks), weight: 0.6) { bench in
      let locked = LockedCounter()
      return await compare(bench, tasks, count: { locked.count }) { calls in
        for step in 0..<calls.count {
          _ = locked.increment(by: calls.task)
          _ = work(step, calls.pause)
        }
      }
    }
  }

  /// An actor behind a stream of work items, which one task runs in order.
  private actor SerialQueue {
    private struct Item: Sendable {
      let task: Int
      let done: CheckedContinuation<Int, Never>
    }

    private(set) var counter = Counter()
    private let items: AsyncStream<Item>
    private nonisolated let queue: AsyncStream<Item>.Continuation

    init() { (items, queue) = AsyncStream.makeStream() }

    func run() async {
      for await item in items {
        counter.count &+= 1
        counter.last = item.task
        item.done.resume(returning: counter.count)
      }
    }

    nonisolated func increment(by task: Int) async -> Int {
      await withCheckedContinuation { _ = queue.yield(Item(task: task, done: $0)) }
    }

    nonisolated func close() { queue.finish() }
  }

  private static func serialQueue(_ tasks: Int) -> Case {
    Case(name: title("hand-written serial queue", tasks), weight: 0.6) { bench in
      let serial = SerialQueue()
      return await withTaskGroup { group in
        group.addTask { await serial.run() }
        let figures = await compare(bench, tasks, count: { await serial.counter.count }) { calls in
          for step in 0..<calls.count {
            _ = await serial.increment(by: calls.task)
            _ = work(step, calls.pause)
          }
        }
        serial.close()
        return figures
      }
    }
  }

  /// Compares a load with calls of a bare actor.
  ///
  /// Each load contains its loop, so that the timed code is the call as a user writes it.
  private static func compare(
    _ bench: Bench,
    _ tasks: Int,
    count: @Sendable () async -> Int,
    load: @escaping @Sendable (Calls) async -> Void
  ) async -> Figures {
    let (bare, total) = (BareCounter(), Tally())
    let pause = Calls.pause(tasks: tasks)
    let figures = await bench.compare(to: BareCounter.name, atLeast: tasks) { count in
      await nanoseconds {
        await inTasks(tasks, sharing: count) { task, share in
          await bareCalls(bare, Calls(count: share, task: task, pause: pause))
        }
      }
    } subject: { count in
      total.add(count)
      return await nanoseconds {
        await inTasks(tasks, sharing: count) { task, share in
          await load(Calls(count: share, task: task, pause: pause))
        }
      }
    }
    bench.expect("count", await count(), total.total)
    return figures
  }
}
