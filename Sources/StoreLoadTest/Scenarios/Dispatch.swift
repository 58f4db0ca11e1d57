import ActorStore
import Synchronization

/// Many dispatches by some tasks: nothing is lost, and what a task dispatches is applied in its order.
enum Dispatch {
  static let all: [Scenario] =
    [1, 8, 64, 1_000].flatMap { tasks in
      let suffix = tasks == 1 ? "1 task" : "\(tasks) tasks"
      return [
        scenario("mutation, \(suffix)", tasks, ByMutation.self),
        scenario("action, \(suffix)", tasks, ByAction.self),
      ]
    } + [
      scenario("closure, 1 task", 1, ByClosure.self),
      scenario("any Action, 1 task", 1, ByAnyAction.self),
    ]

  /// One way to make the change.
  ///
  /// A type and not a closure, so that the loop that is timed calls the store directly, as
  /// a user's code does.
  private protocol Way: SendableMetatype {
    static func increment(_ store: Store<Counter>, by task: Int) async -> Int
  }

  private enum ByMutation: Way {
    static func increment(_ store: Store<Counter>, by task: Int) async -> Int {
      await store.dispatch(Increment(task: task)).output ?? 0
    }
  }

  private enum ByAction: Way {
    static func increment(_ store: Store<Counter>, by task: Int) async -> Int {
      await store.dispatch(IncrementLater(task: task)).output ?? 0
    }
  }

  private enum ByClosure: Way {
    static func increment(_ store: Store<Counter>, by task: Int) async -> Int {
      let outcome = await store.dispatch { counter in
        counter.count &+= 1
        counter.last = task
        return counter.count
      }
      return outcome.output ?? 0
    }
  }

  private enum ByAnyAction: Way {
    static func increment(_ store: Store<Counter>, by task: Int) async -> Int {
      let action: any Action<Counter> = Increment(task: task)
      return (try? await store.dispatch(action))?.output as? Int ?? 0
    }
  }

  private static func scenario<W: Way>(_ name: String, _ tasks: Int, _: W.Type) -> Scenario {
    Scenario(name: name) { context in
      let perTask = context.scaled(tasks == 1 ? 200_000 : 100_000) / tasks
      let rounds = context.options.isQuick ? 3 : 5
      let pause = tasks == 1 ? 1 : 200
      let store = Store(Counter(), name: name)
      let bare = BareCounter()
      context.watch { "\(store.diagnostics)" }
      let disorder = Disorder()
      let figures = await compare(rounds: rounds, operations: perTask * tasks) {
        await inTasks(tasks) { await loadBare(bare, perTask, $0, pause) }
        context.beat()
      } subject: {
        await inTasks(tasks) { disorder.add(await load(store, perTask, $0, pause, W.self)) }
        context.beat()
      }
      let operations = perTask * tasks * rounds
      return Row(
        name: name, operations: operations, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
        ratio: figures.ratio,
        violations: context.expect("\(name), count (P1)", await store.state.count, operations)
          + context.expect("\(name), out of order (P2)", disorder.count, 0)
          + context.expect("\(name), revision", store.diagnostics.revision, UInt64(operations)))
    }
  }
  /// Dispatches many times; returns how often a result was not above the one before.
  @concurrent
  private static func load<W: Way>(
    _ store: Store<Counter>, _ count: Int, _ task: Int, _ pause: Int, _: W.Type
  ) async -> Int {
    var disorder = 0
    var last = 0
    for index in 0..<count {
      let result = await W.increment(store, by: task)
      if result <= last { disorder += 1 }
      last = result
      _ = work(index, pause)
    }
    return disorder
  }

  @concurrent
  private static func loadBare(_ bare: BareCounter, _ count: Int, _ task: Int, _ pause: Int) async {
    for index in 0..<count {
      _ = await bare.increment(by: task)
      _ = work(index, pause)
    }
  }

  private final class Disorder: Sendable {
    private let total = Atomic<Int>(0)

    var count: Int { total.load(ordering: .relaxed) }

    func add(_ more: Int) {
      total.wrappingAdd(more, ordering: .relaxed)
    }
  }
}
