#if os(Linux)
  import ActorStore
  import ActorStoreTesting
  import Synchronization

  /// Schedules of 8 tasks x 4 dispatches under simulation, beside the same runs on the thread pool.
  enum Simulating {
    static let all = [
      scenario("schedules at random, 8 x 4", .random(seed: 0)),
      scenario("schedules by priority, 8 x 4", .pct(depth: 3, seed: 0)),
    ]

    private static func scenario(_ name: String, _ strategy: Simulation.Strategy) -> Scenario {
      Scenario(name: name) { context in
        let schedules = context.scaled(1_200)
        context.watch { name }
        let failure = Mutex<String?>(nil)
        let timing = await compare(rounds: 5, operations: schedules) {
          for _ in 0..<schedules { try? await body() }
          context.beat()
        } subject: {
          do {
            try Simulation.explore(strategy, schedules: schedules, body)
          } catch {
            failure.withLock { $0 = "\(error)" }
          }
          context.beat()
        }
        return Row(
          name: name, operations: 5 * schedules, nanoseconds: timing.nanoseconds, baseline: timing.baseline,
          ratio: timing.ratio, violations: context.expect(name, failure.withLock { $0 }, nil))
      }
    }

    private struct Step: Action {
      func run(_ counter: inout Counter) async {
        let before = counter.count
        await Task.yield()
        counter.count = before + 1
      }
    }

    private static let body: @Sendable () async throws -> Void = {
      let store = Store(Counter())
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { for _ in 0..<4 { await store.dispatch(Step()) } }
        }
      }
      try Simulation.expect(await store.state.count == 32, "lost an update")
    }
  }
#endif
