import ActorStore
import Synchronization

/// Commits with many subscribers.
///
/// The baseline is a hand-written fan-out, with an `AsyncStream` continuation for each subscriber.
enum Fanout {
  static let scenario = Scenario(
    name: "fanout", summary: "commits with many subscribers, compared with a hand-written fan-out",
    sizes: [.subscribers, .dispatches]
  ) { options in
    let subscribers = options.subscribers ?? 1_000
    let policies: [(String, Policy)] = [("unbounded", .unbounded), ("newest(1)", .bufferingNewest(1))]
    return policies.map { behind("\($0), \(subscribers) behind", subscribers, $1) }
      + policies.map { reading("\($0), \(subscribers) reading", subscribers, $1) }
      + policies.map { growth("\($0), \(subscribers) behind, compared with 1", subscribers, $1) }
      + SelectionConsumers.cases(subscribers * 10)
  }

  private typealias Policy = AsyncStream<Counter>.Continuation.BufferingPolicy

  /// A hand-written fan-out.
  private final class ByHand: Sendable {
    private let continuations = Mutex<[AsyncStream<Counter>.Continuation]>([])

    func states(_ policy: Policy) -> AsyncStream<Counter> {
      let (states, continuation) = AsyncStream<Counter>.makeStream(bufferingPolicy: policy)
      continuations.withLock { $0.append(continuation) }
      return states
    }

    func publish(_ state: Counter) {
      for continuation in continuations.withLock({ $0 }) { continuation.yield(state) }
    }
  }

  private static let byHand = "hand-written fan-out"

  /// Times commits while no subscriber reads.
  private static func behind(_ name: String, _ subscribers: Int, _ policy: Policy) -> Case {
    Case(name: name) { bench in
      // Unread states use memory, so the number of commits is limited.
      await bench.compare(to: byHand, atMost: 100_000) { count in
        let byHand = ByHand()
        let states = (0..<subscribers).map { _ in byHand.states(policy) }
        defer { withExtendedLifetime(states) {} }
        return await nanoseconds { for number in 0..<count { byHand.publish(Counter(count: number)) } }
      } subject: { count in
        await commits(subscribers, count, policy, bench)
      }
    }
  }

  /// Compares the time of a commit with many subscribers that do not read with that of a commit with one.
  private static func growth(_ name: String, _ subscribers: Int, _ policy: Policy) -> Case {
    // The promise is that the cost does not grow (P15). The limit leaves room for the variation of a busy machine.
    Case(name: name, weight: 0.6, limit: .ratio(5)) { bench in
      await bench.compare(to: "1 behind", atMost: 100_000) { count in
        await commits(1, count, policy, bench)
      } subject: { count in
        await commits(subscribers, count, policy, bench)
      }
    }
  }

  private static func commits(_ subscribers: Int, _ count: Int, _ policy: Policy, _ bench: Bench) async -> Double {
    let store = Store(Counter(), name: "\(subscribers) behind")
    bench.watch { "\(store.diagnostics)" }
    let states = (0..<subscribers).map { _ in store.states(bufferingPolicy: policy) }
    let elapsed = await nanoseconds {
      for step in 0..<count {
        await store.dispatch(Increment(task: 0))
        _ = work(step, 1)
      }
    }
    let offered = store.diagnostics.subscribers.map(\.offered)
    bench.expect("offered (P12)", offered.min(), count + 1)
    bench.expect("offered (P12)", offered.max(), count + 1)
    withExtendedLifetime(states) {}
    return elapsed
  }

  /// Times commits until each subscriber has seen the last one.
  private static func reading(_ name: String, _ subscribers: Int, _ policy: Policy) -> Case {
    // With a policy that drops states, a follower accepts gaps.
    let kind: Follower.Kind = if case .unbounded = policy { .all } else { .newest }
    return Case(name: name, weight: 2) { bench in
      await bench.compare(to: byHand, atLeast: 40, atMost: 10_000) { count in
        let byHand = ByHand()
        let streams = (0..<subscribers).map { _ in byHand.states(policy) }
        return await readingAll(count, streams, kind, bench) { byHand.publish(Counter(count: $0)) }
      } subject: { count in
        let store = Store(Counter(), name: name)
        bench.watch { "\(store.diagnostics)" }
        let streams = (0..<subscribers).map { _ in store.states(bufferingPolicy: policy) }
        return await readingAll(count, streams, kind, bench) { _ in await store.dispatch(Increment(task: 0)) }
      }
    }
  }

  private static func readingAll(
    _ count: Int,
    _ streams: [AsyncStream<Counter>],
    _ kind: Follower.Kind,
    _ bench: Bench,
    _ publish: @escaping @Sendable (Int) async -> Void
  ) async -> Double {
    await nanoseconds {
      await withTaskGroup { group in
        for states in streams {
          group.addTask {
            var follower = Follower(kind)
            for await state in states {
              follower.saw(state.count)
              if state.count % 64 == 0 { bench.beat() }
              if state.count == count { break }
            }
            if let problem = follower.problem(atTheEnd: count) { bench.expect("wrong states (P12)", problem, "none") }
          }
        }
        for number in 1...count {
          await publish(number)
          if number % 8 == 0 { await Task.yield() }
          bench.beat()
        }
      }
    }
  }
}
