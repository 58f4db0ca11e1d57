import ActorStore
import Synchronization

/// The wait of a high-priority dispatch behind low-priority actions, while other tasks keep the processors busy (P22).
///
/// A task waits for a thread among tasks of a similar priority. So the low-priority actions ahead wait for the busy
/// tasks, and the dispatch waits for all of them, unless it lends them its priority.
enum Priorities {
  static let scenario = Scenario(
    name: "priority", summary: "a high-priority dispatch behind 100 low-priority ones, with and without lent priority",
    sizes: [.dispatches]
  ) { _ in
    [(TaskPriority.background, "background"), (.medium, "medium"), (.high, "high")].flatMap { priority, name in
      // Only busy tasks that compete with the low-priority actions show the effect of lent priority.
      let limit = priority == .background ? Limit.ratio(0.8) : nil
      return [
        Case(name: "100 actions, busy at \(name) priority", weight: 0.5, limit: limit) {
          await run($0, busy: priority, suspensions: 0)
        },
        Case(name: "100 suspending actions, busy at \(name) priority", weight: 0.5, limit: limit) {
          await run($0, busy: priority, suspensions: 3)
        },
      ]
    }
  }

  private static let (waiters, busyTasks) = (100, 8)

  /// Computes, and suspends between the parts of the computation.
  private struct Work: Action {
    let suspensions: Int

    func run(_ counter: inout Counter) async {
      counter.last = compute(2_000)
      for _ in 0..<suspensions {
        await Task.yield()
        counter.last = compute(2_000)
      }
      counter.count += 1
    }
  }

  @inline(never)
  private static func compute(_ steps: Int) -> Int {
    var result = steps
    for step in 0..<steps { result = result &* 31 &+ step }
    return result
  }

  private static func run(_ bench: Bench, busy priority: TaskPriority, suspensions: Int) async -> Figures {
    let isOver = Flag()
    let busy = (0..<busyTasks).map { _ in
      Task.detached(priority: priority) {
        var sum = 0
        while !isOver.isSet {
          sum &+= compute(20_000)
          await Task.yield()
        }
        return sum
      }
    }
    let figures = await bench.compare(to: "without lent priority") { count in
      TurnQueue.lendsPriorities = false
      defer { TurnQueue.lendsPriorities = true }
      return await waits(bench, count, suspensions)
    } subject: { count in
      await waits(bench, count, suspensions)
    }
    isOver.set()
    for task in busy { _ = await task.value }
    return figures
  }

  /// The total time that a number of dispatches wait, one after another.
  private static func waits(_ bench: Bench, _ count: Int, _ suspensions: Int) async -> Double {
    var total: UInt64 = 0
    for _ in 0..<count {
      total += await Task.detached(priority: .high) { await wait(bench, suspensions) }.value
      bench.beat()
    }
    return Double(total)
  }

  /// The time from the release of the turn to the start of the dispatch behind all waiting actions.
  private static func wait(_ bench: Bench, _ suspensions: Int) async -> UInt64 {
    let store = Store(Counter(), name: "priority")
    bench.watch { "\(store.diagnostics)" }
    let (gate, open) = AsyncStream<Void>.makeStream()
    store.send { _ async in for await _ in gate {} }
    let low = (0..<waiters).map { _ in
      Task.detached(priority: .background) { await store.dispatch(Work(suspensions: suspensions)) }
    }
    while store.queueLength < waiters { await Task.yield() }
    async let began = store.dispatch { counter in (time: now(), count: counter.count) }
    while store.queueLength <= waiters { await Task.yield() }
    let start = now()
    open.finish()
    guard case .committed(let seen) = await began else {
      bench.expect("outcome", false, true)
      return 0
    }
    for task in low { _ = await task.value }
    bench.expect("actions before the dispatch (P2)", seen.count, waiters)
    return seen.time - start
  }

  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
  }
}
