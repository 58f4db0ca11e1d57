import ActorStore
import Foundation
import HeapCalls

/// Rounds of commits, followers, and short-lived subscribers, during which heap use stays within a limit.
enum Soak {
  static let scenario = Scenario(
    name: "soak", summary: "rounds of commits, followers, and short-lived subscribers, with flat memory use",
    sizes: [.tasks, .subscribers, .dispatches]
  ) { options in
    let (tasks, subscribers) = (options.tasks ?? 4, options.subscribers ?? 60)
    return [Case(name: "\(tasks) tasks, \(subscribers) subscribers", weight: 2) { await run($0, tasks, subscribers) }]
  }

  /// The number of initial rounds, which fill caches and allocate the memory that later tasks reuse.
  private static let warmUp = 10
  private static let commitsPerRound = 200

  /// Times commits while some subscribers follow them and others come and go.
  private static func run(_ bench: Bench, _ tasks: Int, _ subscribers: Int) async -> Figures {
    let store = Store(Counter(), name: "soak")
    bench.watch { "\(store.diagnostics)" }
    let perTask = (commitsPerRound + tasks - 1) / tasks
    var figures: [Double] = []
    var inUse: [Int] = []
    var measured = 0
    func addRound() async {
      let last = Int(store.diagnostics.revision) + tasks * perTask
      let start = now()
      await round(store, tasks, perTask, subscribers, upTo: last, bench)
      figures.append(Double(now() - start) / Double(tasks * perTask))
      bench.expect("remaining subscribers (P14)", store.diagnostics.subscribers.count, 0)
      inUse.append(Int(heap_bytes_in_use()))
      bench.beat()
    }
    while bench.goesOn(after: figures.count * tasks * perTask) || figures.count < 5 * warmUp { await addRound() }
    let rounds = figures.count - warmUp
    // The limit allows for the memory that each thread keeps, and for a few bytes per commit, which are fewer than the
    // smallest object uses.
    let threads = ProcessInfo.processInfo.activeProcessorCount
    let limit = threads * 64 * 1_024 + rounds * tasks * perTask * 8
    let growth = await bench.expectNoLeak("commits and subscribers that left", atMost: limit) {
      if measured > 0 { for _ in 0..<rounds { await addRound() } }
      measured = inUse.count
      return inUse[measured - 1] - inUse[measured - 1 - rounds]
    }
    bench.expect("commits", Int(store.diagnostics.revision), figures.count * tasks * perTask)
    return Figures(
      operations: figures.count * tasks * perTask, nanoseconds: Spread(Array(figures.dropFirst(warmUp))),
      heapBytes: heap_bytes_in_use() > 0 ? growth : nil)
  }

  private static func round(
    _ store: Store<Counter>,
    _ tasks: Int,
    _ perTask: Int,
    _ subscribers: Int,
    upTo last: Int,
    _ bench: Bench
  ) async {
    await withTaskGroup { group in
      for index in 0..<subscribers {
        let kind = Follower.Kind.allCases[index % 3]
        let states = Follower(kind).states(of: store)
        group.addTask {
          var follower = Follower(kind)
          for await state in states {
            follower.saw(state.count)
            if state.count == last || kind == .even && state.count == last - 1 && last % 2 == 1 { break }
          }
          bench.expect("wrong states (P12)", follower.problem(atTheEnd: last), nil)
        }
      }
      for task in 0..<tasks {
        group.addTask {
          for number in 0..<perTask {
            await store.dispatch(Increment(task: task))
            if number % 16 == 0 { for await _ in store.states { break } }
            if number % 64 == 0 { _ = store.select(\.last).values }
          }
        }
      }
    }
  }
}
