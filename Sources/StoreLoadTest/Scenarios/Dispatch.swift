import ActorStore

/// Many dispatches by some tasks: nothing is lost, and what a task dispatches is applied in its order.
enum Dispatch {
  static let all: [Scenario] =
    [1, 8, 64, 1_000].flatMap { tasks in
      let suffix = tasks == 1 ? "1 task" : "\(tasks) tasks"
      return [
        scenario("mutation, \(suffix)", tasks, { await mutations($0, $1) }),
        scenario("action, \(suffix)", tasks, { await actions($0, $1) }),
      ]
    } + [
      scenario("closure, 1 task", 1, { await closures($0, $1) }),
      scenario("any Action, 1 task", 1, { await anyActions($0, $1) }),
    ]

  /// Some calls of one task.
  ///
  /// Each load has its loop written out, so that what is timed is the call as a user's code makes it.
  private struct Calls {
    let count: Int
    let task: Int
    /// How much work lies between two calls.
    let pause: Int
  }

  /// Dispatches many times and returns how often a result was not above the one before.
  private typealias Load = @concurrent @Sendable (Store<Counter>, Calls) async -> Int

  private struct Order {
    private(set) var broken = 0
    private var last = 0

    mutating func saw(_ result: Int?) {
      if result ?? 0 <= last { broken += 1 }
      last = result ?? 0
    }
  }

  @concurrent
  private static func mutations(_ store: Store<Counter>, _ calls: Calls) async -> Int {
    var order = Order()
    for index in 0..<calls.count {
      order.saw(await store.dispatch(Increment(task: calls.task)).output)
      _ = work(index, calls.pause)
    }
    return order.broken
  }

  @concurrent
  private static func actions(_ store: Store<Counter>, _ calls: Calls) async -> Int {
    var order = Order()
    for index in 0..<calls.count {
      order.saw(await store.dispatch(IncrementLater(task: calls.task)).output)
      _ = work(index, calls.pause)
    }
    return order.broken
  }

  @concurrent
  private static func closures(_ store: Store<Counter>, _ calls: Calls) async -> Int {
    var order = Order()
    for index in 0..<calls.count {
      let outcome = await store.dispatch { counter in
        counter.count &+= 1
        counter.last = 0
        return counter.count
      }
      order.saw(outcome.output)
      _ = work(index, calls.pause)
    }
    return order.broken
  }

  @concurrent
  private static func anyActions(_ store: Store<Counter>, _ calls: Calls) async -> Int {
    var broken = 0
    let action: any Action<Counter> = Increment(task: calls.task)
    for index in 0..<calls.count {
      if (try? await store.dispatch(action))?.isCommitted != true { broken += 1 }
      _ = work(index, calls.pause)
    }
    return broken
  }

  @concurrent
  private static func bareCalls(_ bare: BareCounter, _ calls: Calls) async {
    for index in 0..<calls.count {
      _ = await bare.increment(by: calls.task)
      _ = work(index, calls.pause)
    }
  }

  private static func scenario(_ name: String, _ tasks: Int, _ load: @escaping Load) -> Scenario {
    Scenario(name: name) { context in
      let perTask = context.scaled(tasks == 1 ? 200_000 : 100_000) / tasks
      let rounds = context.options.isQuick ? 3 : 5
      let pause = tasks == 1 ? 1 : 200
      let store = Store(Counter(), name: name)
      let bare = BareCounter()
      context.watch { "\(store.diagnostics)" }
      let disorder = Tally()
      let figures = await compare(rounds: rounds, operations: perTask * tasks) {
        await inTasks(tasks) { await bareCalls(bare, Calls(count: perTask, task: $0, pause: pause)) }
        context.beat()
      } subject: {
        await inTasks(tasks) { disorder.add(await load(store, Calls(count: perTask, task: $0, pause: pause))) }
        context.beat()
      }
      let operations = perTask * tasks * rounds
      return Row(
        name: name, operations: operations, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
        ratio: figures.ratio,
        violations: context.expect("\(name), count (P1)", await store.state.count, operations)
          + context.expect("\(name), out of order (P2)", disorder.total, 0)
          + context.expect("\(name), revision", store.diagnostics.revision, UInt64(operations)))
    }
  }
}
