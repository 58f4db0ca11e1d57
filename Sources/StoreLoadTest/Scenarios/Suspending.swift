import ActorStore
import Synchronization

/// Actions that suspend halfway, but never run concurrently and lose no update (P1).
enum Suspending {
  static let scenario = Scenario(
    name: "suspending", summary: "actions that suspend halfway, compared with a bare actor's method that yields",
    sizes: [.tasks, .dispatches]
  ) { options in
    (options.tasks.map { [$0] } ?? [1, 8]).map { tasks in
      Case(name: "suspending, \(tasks == 1 ? "1 task" : "\(tasks) tasks")") { await run($0, tasks) }
    }
  }

  private struct Step: Action {
    let task: Int
    let inside: Inside

    func run(_ counter: inout Counter) async {
      inside.enter()
      let before = counter.count
      await Task.yield()
      counter.count = before + 1
      counter.last = task
      inside.leave()
    }
  }

  /// A count of the running actions, and of those that began while another one ran.
  private final class Inside: Sendable {
    private let count = Atomic<Int>(0)
    let together = Tally()

    func enter() {
      if count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue > 1 { together.add(1) }
    }

    func leave() {
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }

  private static func run(_ bench: Bench, _ tasks: Int) async -> Figures {
    let store = Store(Counter(), name: "suspending")
    let (bare, inside, commits) = (BareCounter(), Inside(), Tally())
    bench.watch { "\(store.diagnostics)" }
    var figures = await bench.compare(to: "bare actor that yields", atLeast: tasks) { count in
      await nanoseconds {
        await inTasks(tasks, sharing: count) { task, share in
          for _ in 0..<share { await bare.incrementSlowly(by: task) }
        }
      }
    } subject: { count in
      commits.add(count)
      return await nanoseconds {
        await inTasks(tasks, sharing: count) { task, share in
          for _ in 0..<share { await store.dispatch(Step(task: task, inside: inside)) }
        }
      }
    }
    bench.expect("count (P1)", await store.state.count, commits.total)
    bench.expect("concurrent actions (P1)", inside.together.total, 0)
    figures.latencies = await bench.latencies(tasks: tasks) { task, watch in
      while watch.begin() {
        await store.dispatch(Step(task: task, inside: inside))
        watch.stop()
      }
    }
    return figures
  }
}
