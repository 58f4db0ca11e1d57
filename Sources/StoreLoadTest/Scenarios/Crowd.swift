import ActorStore

/// A large load, by default with 1,000 subscribers of three kinds and 100,000 commits by 8 tasks.
///
/// Verifies the number of states that each subscriber was offered, and the numbers that the subscribers received.
enum Crowd {
  static let scenario = Scenario(
    name: "crowd", summary: "1000 subscribers of three kinds and 100000 commits by 8 tasks (a few minutes)",
    sizes: [.subscribers, .dispatches], isOptional: true
  ) { options in
    let subscribers = options.subscribers ?? 1_000
    let commits = options.dispatches ?? (options.isQuick ? 1_000 : 100_000)
    return [Case(name: "\(subscribers) subscribers, \(commits) commits") { await run($0, subscribers, commits) }]
  }

  private static let tasks = 8

  private static func run(_ bench: Bench, _ subscribers: Int, _ commits: Int) async -> Figures {
    let store = Store(Counter(), name: "crowd")
    bench.watch { "\(store.diagnostics)" }
    let elapsed = await nanoseconds {
      await withTaskGroup { group in
        for index in 0..<subscribers {
          let kind = Follower.Kind.allCases[index % 3]
          let states = Follower(kind).states(of: store)
          group.addTask {
            var follower = Follower(kind)
            for await state in states {
              follower.saw(state.count)
              if state.count % 256 == 0 { bench.beat() }
            }
            return follower
          }
        }
        await inTasks(tasks, sharing: commits) { task, share in
          for _ in 0..<share { await store.dispatch(Increment(task: task)) }
        }
        while store.diagnostics.subscribers.contains(where: { $0.pending > 0 }) {
          // Only the followers signal progress here.
          for _ in 0..<1_000 { await Task.yield() }
        }
        let accounts = store.diagnostics.subscribers
        store.close()
        bench.expect("subscribers", accounts.count, subscribers)
        for account in accounts { bench.expect("offered (P12)", account.offered, commits + 1) }
        var received: [Int] = []
        for await follower in group {
          bench.expect("wrong states (P12)", follower.problem(atTheEnd: commits), nil)
          received.append(follower.received)
        }
        bench.expect("received (P12)", received.sorted(), accounts.map(\.received).sorted())
      }
    }
    return Figures(operations: commits, nanoseconds: Spread([elapsed / Double(commits)]))
  }
}
