#if os(Linux)
  import ActorStore
  import ActorStoreTesting
  import Atoms

  /// Simulated schedules of 8 tasks with 4 dispatches each, compared with the same runs on the thread pool.
  enum Simulating {
    static let scenario = Scenario(
      name: "simulating", summary: "the time of one schedule in the simulator", sizes: [.dispatches]
    ) { _ in
      [
        `case`("at random, 8 x 4", actions) { .random(seed: $0) },
        `case`("by priority, 8 x 4", actions) { .pct(depth: 3, seed: $0) },
        `case`("mutations, 8 x 4", mutations) { .random(seed: $0) },
        `case`("atoms, 2 x 2", atoms) { .random(seed: $0) },
      ]
    }

    private static func `case`(
      _ name: String, _ body: @escaping Body, _ strategy: @escaping @Sendable (UInt64) -> Simulation.Strategy
    ) -> Case {
      Case(name: name) { bench in
        await bench.compare(to: "the thread pool", atMost: 500) { schedules in
          await nanoseconds { for _ in 0..<schedules { try? await body() } }
        } subject: { schedules in
          await nanoseconds {
            do {
              try Simulation.explore(strategy(bench.seed), schedules: schedules, body: body)
            } catch {
              bench.expect("failure", "\(error)", "none")
            }
          }
        }
      }
    }

    private struct Step: Action {
      func run(_ counter: inout Counter) async {
        let before = counter.count
        await Task.yield()
        counter.count = before + 1
      }
    }

    private typealias Body = @Sendable () async throws -> Void

    /// A body that reaches the points of 32 asynchronous actions.
    private static let actions: Body = {
      let store = Store(Counter())
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { for _ in 0..<4 { await store.dispatch(Step()) } }
        }
      }
      try Simulation.expect(await store.state.count == 32, "lost an update")
    }

    /// A body that reaches the points of 32 mutations, all of which are at an `await`.
    private static let mutations: Body = {
      let store = Store(Counter())
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { for _ in 0..<4 { await store.dispatch { $0.count += 1 } } }
        }
      }
      try Simulation.expect(await store.state.count == 32, "lost an update")
    }

    /// A body that reaches four points in synchronous code.
    private static let atoms: Body = {
      let (store, atom) = (AtomStore(), Atom(0, keepAlive: true))
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { for _ in 0..<2 { store.update(atom) { $0 += 1 } } }
        }
      }
      try Simulation.expect(store.get(atom) == 4, "lost an update")
    }
  }
#endif
