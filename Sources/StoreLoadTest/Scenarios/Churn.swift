import ActorStore
import Synchronization

/// Subscribers who come, take three states and go, while two tasks commit; beside the same by hand.
enum Churn {
  static let scenario = Scenario(
    name: "churn", summary: "subscribers who come, take three states and go", sizes: [.tasks, .dispatches]
  ) { options in
    let tasks = options.tasks ?? 4
    return [Case(name: "\(tasks) who come and go") { await run($0, tasks) }]
  }

  /// What one would write without a store: a continuation for each who watches, with the state to begin with.
  private final class ByHand: Sendable {
    private struct State: Sendable {
      var counter = Counter()
      var number = 0
      var continuations: [Int: AsyncStream<Counter>.Continuation] = [:]
    }

    private let state = Mutex(State())

    func states() -> AsyncStream<Counter> {
      let (states, continuation) = AsyncStream<Counter>.makeStream()
      let number = state.withLock { state in
        state.number += 1
        state.continuations[state.number] = continuation
        continuation.yield(state.counter)
        return state.number
      }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
      }
      return states
    }

    func commit() {
      state.withLock { state in
        state.counter.count += 1
        for continuation in state.continuations.values { continuation.yield(state.counter) }
      }
    }
  }

  private static func run(_ bench: Bench, _ tasks: Int) async -> Figures {
    let problems = Mutex<[String]>([])
    let gone = Tally()
    let figures = await bench.compare(to: "by hand", atLeast: tasks) { count in
      let byHand = ByHand()
      return await comeAndGo(tasks, count, gone) {
        byHand.states()
      } commit: {
        byHand.commit()
      }
    } subject: { count in
      let store = Store(Counter(), name: "churn")
      // Commits go on for as long as somebody is there: what moves is who has gone.
      bench.watch { "\(gone.total) have come and gone; \(store.diagnostics.withoutRevision)" }
      async let steady = follow(store)
      let nanoseconds = await comeAndGo(tasks, count, gone) {
        store.states
      } commit: {
        await store.dispatch(Increment(task: 0))
      }
      let left = store.diagnostics.subscribers.count
      let revision = Int(store.diagnostics.revision)
      store.close()
      if let problem = await steady.problem(atTheEnd: revision) { problems.withLock { $0.append(problem) } }
      if left > 1 { problems.withLock { $0.append("\(left - 1) subscribers stayed") } }
      return nanoseconds
    }
    bench.expect("what was seen, and who stayed (P12, P14)", problems.withLock { $0 }, [])
    return figures
  }

  /// One who stays all the time.
  private static func follow(_ store: Store<Counter>) async -> Follower {
    var follower = Follower(.all)
    for await state in follower.states(of: store) { follower.saw(state.count) }
    return follower
  }

  private static func comeAndGo(
    _ tasks: Int,
    _ count: Int,
    _ gone: Tally,
    _ states: @escaping @Sendable () -> AsyncStream<Counter>,
    commit: @escaping @Sendable () async -> Void
  ) async -> Double {
    await nanoseconds {
      let last = gone.total + count
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            while gone.total < last {
              await commit()
              await Task.yield()
            }
          }
        }
        await inTasks(tasks, sharing: count) { _, share in
          for _ in 0..<share {
            var seen = 0
            for await _ in states() {
              seen += 1
              if seen == 3 { break }
            }
            gone.add(1)
          }
        }
      }
    }
  }
}
