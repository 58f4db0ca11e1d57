import ActorStore
import Synchronization

/// Subscribers who come, take three states and go, while two tasks commit; beside the same by hand.
enum Churn {
  static let all = [Scenario(name: name, run: run)]

  private static let name = "4 who come and go"

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

  @Sendable private static func run(_ context: Context) async -> Row {
    let count = context.scaled(2_000)
    let problems = Mutex<[String]>([])
    let figures = await compare(rounds: 5, operations: 4 * count) {
      let byHand = ByHand()
      await comeAndGo(count, context) {
        byHand.states()
      } commit: {
        byHand.commit()
      }
    } subject: {
      let store = Store(Counter(), name: name)
      async let steady = follow(store)
      await comeAndGo(count, context) {
        store.states
      } commit: {
        await store.dispatch(Increment(task: 0))
      }
      let left = store.diagnostics.subscribers.count
      let revision = Int(store.diagnostics.revision)
      store.close()
      if let problem = await steady.problem(atTheEnd: revision) { problems.withLock { $0.append(problem) } }
      if left > 1 { problems.withLock { $0.append("\(left - 1) subscribers stayed") } }
    }
    return Row(
      name: name, operations: 20 * count, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
      ratio: figures.ratio, violations: context.expect(name, problems.withLock { $0 }, []))
  }

  /// One who stays all the time.
  private static func follow(_ store: Store<Counter>) async -> Follower {
    var follower = Follower(.all)
    for await state in follower.states(of: store) { follower.saw(state.count) }
    return follower
  }

  private static func comeAndGo(
    _ count: Int,
    _ context: Context,
    _ states: @escaping @Sendable () -> AsyncStream<Counter>,
    commit: @escaping @Sendable () async -> Void
  ) async {
    let gone = Tally()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          while gone.total < 4 * count {
            await commit()
            await Task.yield()
          }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<count {
            var seen = 0
            for await _ in states() {
              seen += 1
              if seen == 3 { break }
            }
            gone.add(1)
            context.beat()
          }
        }
      }
    }
  }
}
