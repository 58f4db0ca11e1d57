import ActorStore
import Synchronization

/// Actions that suspend half-way, from tasks of mixed priorities: never two at once, in order, nothing lost.
enum Suspending {
  static let all = [Scenario(name: "suspending, 8 tasks of mixed priorities", run: run)]

  private struct Step: Action {
    let task: Int
    let inside: Inside

    func run(_ counter: inout Counter) async -> Int {
      let wasAlone = inside.enter()
      let before = counter.count
      await Task.yield()
      counter.count = before + 1
      counter.last = task
      inside.leave()
      return wasAlone ? counter.count : 0
    }
  }

  private final class Inside: Sendable {
    private let count = Atomic<Int>(0)

    func enter() -> Bool {
      count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue == 1
    }

    func leave() {
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }

  @Sendable private static func run(_ context: Context) async -> Row {
    let name = "suspending, 8 tasks of mixed priorities"
    let perTask = context.scaled(4_000)
    let rounds = context.options.isQuick ? 1 : 3
    let priorities: [TaskPriority] = [.background, .low, .medium, .high]
    let store = Store(Counter(), name: name)
    let bare = BareCounter()
    let inside = Inside()
    let wrong = Atomic<Int>(0)
    context.watch { "\(store.diagnostics)" }
    @Sendable func inEight(_ body: @escaping @Sendable (Int) async -> Void) async {
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 { group.addTask(priority: priorities[task % 4]) { await body(task) } }
      }
      context.beat()
    }
    let figures = await compare(rounds: rounds, operations: perTask * 8) {
      await inEight { task in for _ in 0..<perTask { await bare.incrementSlowly(by: task) } }
    } subject: {
      await inEight { task in
        var last = 0
        for _ in 0..<perTask {
          let count = await store.dispatch(Step(task: task, inside: inside)).output ?? 0
          if count <= last { wrong.wrappingAdd(1, ordering: .relaxed) }
          last = count
        }
      }
    }
    let operations = perTask * 8 * rounds
    return Row(
      name: name, operations: operations, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
      ratio: figures.ratio,
      violations: context.expect("\(name), count (P1)", await store.state.count, operations)
        + context.expect("\(name), two at once or out of order (P1, P2)", wrong.load(ordering: .relaxed), 0))
  }
}
