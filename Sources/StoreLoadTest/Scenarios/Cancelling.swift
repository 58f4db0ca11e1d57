import ActorStore
import ActorStoreTesting
import Synchronization

/// Dispatches cancelled at any moment: what was committed is in the state, what was cancelled never ran (P9).
enum Cancelling {
  static let all = [Scenario(name: "cancel", run: run)]

  private struct Counted: Action {
    let ran: Ran

    func run(_ counter: inout Counter) async {
      ran.count.wrappingAdd(1, ordering: .relaxed)
      counter.count += 1
      await Task.yield()
    }
  }

  private final class Ran: Sendable {
    let count = Atomic<Int>(0)
  }

  @Sendable private static func run(_ context: Context) async -> Row {
    let store = Store(Counter(), name: "cancel")
    let ran = Ran()
    let rounds = context.scaled(400)
    context.watch { "\(store.diagnostics)" }
    var random = SplitMix64(1)
    var committed = 0
    var cancelled = 0
    for _ in 0..<rounds {
      let tasks = (0..<50).map { _ in Task { await store.dispatch(Counted(ran: ran)) } }
      for task in tasks where Bool.random(using: &random) {
        task.cancel()
        if Int.random(in: 0..<8, using: &random) == 0 { await Task.yield() }
      }
      for task in tasks {
        switch await task.value {
        case .committed: committed += 1
        case .cancelled: cancelled += 1
        default: break
        }
      }
      context.beat()
    }
    return Row(
      name: "cancel", operations: rounds * 50,
      violations: context.expect("cancel, changes of the state", await store.state.count, committed)
        + context.expect("cancel, actions that ran", ran.count.load(ordering: .relaxed), committed)
        + context.expect("cancel, committed and cancelled", committed + cancelled, rounds * 50))
  }
}
