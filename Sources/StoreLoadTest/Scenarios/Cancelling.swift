import ActorStore
import SeededRandom
import Synchronization

/// Dispatches that are canceled at random moments (P9).
///
/// The state contains each committed change. Actions whose outcome is `cancelled` never run.
enum Cancelling {
  static let scenario = Scenario(
    name: "cancel", summary: "dispatches canceled at random moments, each accounted for", sizes: [.tasks, .dispatches]
  ) { options in
    let tasks = options.tasks ?? 50
    return [Case(name: "canceled at random moments, \(tasks) tasks") { await run($0, tasks) }]
  }

  private struct Counted: Action {
    let ran: Tally

    func run(_ counter: inout Counter) async {
      ran.add(1)
      counter.count += 1
      await Task.yield()
    }
  }

  private static func run(_ bench: Bench, _ tasks: Int) async -> Figures {
    let store = Store(Counter(), name: "cancel")
    let ran = Tally()
    bench.watch { "\(store.diagnostics)" }
    var random = SplitMix64(bench.seed)
    var figures: [Double] = []
    var (operations, committed, cancelled) = (0, 0, 0)
    while bench.goesOn(after: operations) {
      let start = now()
      let dispatches = (0..<tasks).map { _ in Task { await store.dispatch(Counted(ran: ran)) } }
      for dispatch in dispatches where Bool.random(using: &random) {
        dispatch.cancel()
        if Int.random(in: 0..<8, using: &random) == 0 { await Task.yield() }
      }
      for dispatch in dispatches {
        switch await dispatch.value {
        case .committed: committed += 1
        case .cancelled: cancelled += 1
        default: break
        }
      }
      operations += tasks
      figures.append(Double(now() - start) / Double(tasks))
      bench.beat()
    }
    bench.expect("changes to the state", await store.state.count, committed)
    bench.expect("actions that ran (P9)", ran.total, committed)
    bench.expect("committed or canceled", committed + cancelled, operations)
    return Figures(operations: operations, nanoseconds: Spread(figures))
  }
}
