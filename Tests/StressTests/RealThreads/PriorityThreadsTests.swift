import ActorStore
import SeededRandom
import TestSize
import Testing

/// Short tasks with different priorities, which raise each other while they begin, hold the turn, and end.
///
/// Raising a task after it has ended would access freed memory, which the sanitizers detect.
@Suite struct PriorityThreadsTests {
  private static let priorities: [TaskPriority] = [.background, .low, .medium, .high]

  private struct Count: Action {
    let suspensions: Int

    func run(_ count: inout Int) async {
      for _ in 0..<suspensions { await Task.yield() }
      count += 1
    }
  }

  @Test(.namedIfItHangs, arguments: 0..<4 as Range<UInt64>, [false, true])
  func tasksThatEndAreNotRaised(_ seed: UInt64, hasExecutor: Bool) async throws {
    let rounds = TestSize.length(2_000, short: 200)
    if hasExecutor {
      try await RandomThreads.run(seed: seed) { await Self.run(rounds, seed) }
    } else {
      await Self.run(rounds, seed)
    }
  }

  private static func run(_ rounds: Int, _ seed: UInt64) async {
    let store = Store(0)
    await withTaskGroup { group in
      for number in 0..<4 as Range<UInt64> {
        group.addTask {
          var random = SplitMix64(seed * 4 + number)
          for _ in 0..<rounds {
            let (kind, suspensions) = (random.below(4), random.below(3))
            await Task.inheritingExecutor(priority: priorities[random.below(4)]) {
              switch kind {
              case 0: await store.dispatch { $0 += 1 }
              case 1: store.send(Count(suspensions: suspensions))
              default: await store.dispatch(Count(suspensions: suspensions))
              }
            }.value
          }
        }
      }
    }
    await store.dispatch { _ in }
    #expect(await store.state == 4 * rounds)
  }
}
