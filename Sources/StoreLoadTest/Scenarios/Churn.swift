import ActorStore
import Synchronization

/// Subscribers that come, take three states, and go while two tasks commit.
///
/// The baseline is a hand-written fan-out. Unlike the baseline, the store has a permanent subscriber, which checks the
/// states.
enum Churn {
  static let scenario = Scenario(
    name: "churn", summary: "subscribers that come, take three states, and go", sizes: [.tasks, .dispatches]
  ) { options in
    let tasks = options.tasks ?? 4
    return [Case(name: "\(tasks) subscribers at a time") { await run($0, tasks) }]
  }

  /// A hand-written fan-out, with a continuation for each subscriber.
  ///
  /// Each stream begins with the current state.
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
    let figures = await bench.compare(to: "hand-written fan-out", atLeast: tasks) { count in
      let byHand = ByHand()
      return await comeAndGo(tasks, count, gone) {
        byHand.states()
      } commit: {
        byHand.commit()
      }
    } subject: { count in
      let store = Store(Counter(), name: "churn")
      // Commits continue as long as subscribers remain, so only the number of departed subscribers shows progress.
      bench.watch { "\(gone.total) subscribers have left; \(store.diagnostics.withoutRevision)" }
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
      if left > 1 { problems.withLock { $0.append("\(left - 1) subscribers did not leave") } }
      return nanoseconds
    }
    bench.expect("problems of subscribers (P12, P14)", problems.withLock { $0 }, [])
    return figures
  }

  /// Follows all states until the store closes.
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
