import ActorStore
import SeededRandom
import Synchronization

/// Dispatches and sends from tasks of mixed priorities (P2).
///
/// If one action's result arrives before another call begins, that action is applied first.
enum Ordering {
  static let scenario = Scenario(
    name: "ordering", summary: "mixed priorities, kinds, and pauses, with each position in the order verified",
    sizes: [.tasks, .dispatches]
  ) { options in
    let tasks = options.tasks ?? 8
    return [
      Case(name: "mixed priorities, \(tasks) tasks") { await run($0, tasks, sends: false) },
      Case(name: "dispatched and sent, \(tasks) tasks") { await run($0, tasks, sends: true) },
    ]
  }

  /// The last position in the order among the calls that have returned.
  private final class Returned: Sendable {
    private let greatest = Atomic<Int>(0)

    var last: Int { greatest.load(ordering: .sequentiallyConsistent) }

    func returned(_ place: Int) {
      greatest.max(place, ordering: .sequentiallyConsistent)
    }
  }

  private static let priorities: [TaskPriority] = [.background, .low, .medium, .high]
  private static let perTask = 64

  private static func run(_ bench: Bench, _ tasks: Int, sends: Bool) async -> Figures {
    let store = Store(Counter(), name: "ordering")
    let (returned, disorder) = (Returned(), Tally())
    bench.watch { "\(store.diagnostics)" }
    var random = SplitMix64(bench.seed)
    var operations = 0
    var figures: [Double] = []
    while bench.goesOn(after: operations) {
      let seeds = (0..<tasks).map { _ in random.next() }
      let start = now()
      await withTaskGroup(of: Void.self) { group in
        for (task, seed) in seeds.enumerated() {
          group.addTask(priority: priorities[Int(seed % 4)]) {
            disorder.add(await some(of: task, seed, sends, store, returned))
          }
        }
      }
      operations += tasks * perTask
      figures.append(Double(now() - start) / Double(tasks * perTask))
      bench.beat()
    }
    bench.expect("count (P1)", await store.state.count, operations)
    bench.expect("out of order (P2)", disorder.total, 0)
    return Figures(operations: operations, nanoseconds: Spread(figures))
  }

  /// Makes the calls of one task, and returns how many were applied before one that had already returned.
  @concurrent
  private static func some(
    of task: Int,
    _ seed: UInt64,
    _ sends: Bool,
    _ store: Store<Counter>,
    _ returned: Returned
  ) async -> Int {
    var random = SplitMix64(seed)
    var disorder = 0
    for _ in 0..<perTask {
      let before = returned.last
      let place: Int?
      switch Int.random(in: 0..<(sends ? 5 : 3), using: &random) {
      case 0: place = await store.dispatch(IncrementSlowly(task: task)).output
      case 1: place = await store.dispatch(IncrementLater(task: task)).output
      case 2: place = await store.dispatch(Increment(task: task)).output
      case 3: place = await store.send(Increment(task: task)).outcome.output
      default:
        let ticket = store.send(IncrementLater(task: task))
        if Bool.random(using: &random) { await Task.yield() }
        place = await ticket.outcome.output
      }
      if place ?? 0 <= before { disorder += 1 }
      returned.returned(place ?? 0)
      if Int.random(in: 0..<8, using: &random) == 0 { await Task.yield() }
    }
    return disorder
  }
}
