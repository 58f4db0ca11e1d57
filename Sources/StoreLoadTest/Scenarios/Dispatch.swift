import ActorStore

/// Many dispatches from one or more tasks.
///
/// No update is lost, and each task's dispatches are applied in order.
enum Dispatch {
  static let scenario = Scenario(
    name: "dispatch", summary: "mutations, actions, closures, and throwing mutations, from 1 to 1000 tasks",
    sizes: [.tasks, .dispatches]
  ) { options in
    let sizes = options.tasks.map { [$0] } ?? [1, 8, 64, 1_000]
    let cases = kinds.flatMap { kind in
      sizes.map { tasks in `case`("\(kind.name), \(tasks == 1 ? "1 task" : "\(tasks) tasks")", kind, tasks) }
    }
    let anyAction = Kind(name: "any Action", weight: 0.6, load: { await anyActions($0, $1) })
    return cases + [`case`("any Action, 1 task", anyAction, 1)]
  }

  /// A kind of action, with its load.
  private struct Kind: Sendable {
    let name: String
    let weight: Double
    /// Whether every second call fails.
    var fails = false
    let load: Load
    /// Times each call.
    var timed: (@Sendable (Store<Counter>, Int, inout Stopwatch) async -> Void)?
  }

  private static let kinds = [
    Kind(name: "mutation", weight: 1.5, load: { await mutations($0, $1) }) { store, task, watch in
      while watch.begin() {
        await store.dispatch(Increment(task: task))
        watch.stop()
      }
    },
    Kind(name: "action", weight: 1.5, load: { await actions($0, $1) }) { store, task, watch in
      while watch.begin() {
        await store.dispatch(IncrementLater(task: task))
        watch.stop()
      }
    },
    Kind(name: "closure", weight: 0.6, load: { await closures($0, $1) }),
    Kind(name: "throwing", weight: 0.6, fails: true, load: { await throwing($0, $1) }),
  ]

  /// Dispatches repeatedly, and returns how many results were not greater than the previous one.
  ///
  /// Each load contains its loop, so that the timed code is the call as a user writes it.
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

  /// Every second call fails and changes nothing.
  @concurrent
  private static func throwing(_ store: Store<Counter>, _ calls: Calls) async -> Int {
    var order = Order()
    for index in 0..<calls.count {
      if let outcome = try? await store.dispatch(IncrementUnlessOdd(number: index)) { order.saw(outcome.output) }
      _ = work(index, calls.pause)
    }
    return order.broken
  }

  /// Returns how many calls did not commit.
  ///
  /// The output of an `any Action` has no static type, so its order cannot be checked here.
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
  private static func bareThrowing(_ bare: BareCounter, _ calls: Calls) async {
    for index in 0..<calls.count {
      _ = try? await bare.incrementUnlessOdd(index)
      _ = work(index, calls.pause)
    }
  }

  private static func `case`(_ name: String, _ kind: Kind, _ tasks: Int) -> Case {
    Case(name: name, weight: kind.weight, limit: tasks == 1 ? .steady : nil) { bench in
      let (load, fails) = (kind.load, kind.fails)
      let pause = Calls.pause(tasks: tasks)
      let store = Store(Counter(), name: name)
      let bare = BareCounter()
      bench.watch { "\(store.diagnostics)" }
      let (disorder, commits) = (Tally(), Tally())
      var figures = await bench.compare(to: BareCounter.name, atLeast: tasks) { count in
        await nanoseconds {
          await inTasks(tasks, sharing: count) { task, share in
            let calls = Calls(count: share, task: task, pause: pause)
            if fails { await bareThrowing(bare, calls) } else { await bareCalls(bare, calls) }
          }
        }
      } subject: { count in
        await nanoseconds {
          await inTasks(tasks, sharing: count) { task, share in
            disorder.add(await load(store, Calls(count: share, task: task, pause: pause)))
            commits.add(fails ? (share + 1) / 2 : share)
          }
        }
      }
      bench.expect("count (P1)", await store.state.count, commits.total)
      bench.expect("out of order (P2)", disorder.total, 0)
      bench.expect("revision", Int(store.diagnostics.revision), commits.total)
      if let timed = kind.timed {
        figures.latencies = await bench.latencies(tasks: tasks) { task, watch in await timed(store, task, &watch) }
      }
      return figures
    }
  }
}
