import ActorStore
import Synchronization

/// The full size: 1,000 subscribers of three kinds and 100,000 commits by 8 tasks; all that was offered is accounted for.
enum Crowd {
  static let all = [Scenario(name: "1,000 subscribers, 100,000 commits") { await run($0, commits: 100_000) }]

  private static let subscribers = 1_000

  private static func run(_ context: Context, commits: Int) async -> Row {
    let name = "1,000 subscribers, 100,000 commits"
    let commits = context.options.isQuick ? commits / 100 : commits
    let store = Store(Counter(), name: name)
    context.watch { "\(store.diagnostics.name), revision \(store.diagnostics.revision)" }
    let received = Mutex<[Int]>([])
    var problems = 0
    let elapsed = await ContinuousClock().measure {
      problems = await withTaskGroup { group in
        for index in 0..<subscribers {
          let kind = Follower.Kind.allCases[index % 3]
          let states = Follower(kind).states(of: store)
          group.addTask {
            var follower = Follower(kind)
            for await state in states {
              follower.saw(state.count)
              if state.count % 256 == 0 { context.beat() }
            }
            return follower
          }
        }
        await inTasks(8) { task in
          for _ in 0..<commits / 8 { await store.dispatch(Increment(task: task)) }
        }
        while store.diagnostics.subscribers.contains(where: { $0.pending > 0 }) {
          context.beat()
          for _ in 0..<1_000 { await Task.yield() }
        }
        let accounts = store.diagnostics.subscribers
        store.close()
        var problems = context.expect("\(name), accounts", accounts.count, subscribers)
        for account in accounts {
          problems += context.expect("\(name), offered", account.offered, commits + 1)
        }
        for await follower in group {
          problems += context.expect("\(name), what was seen", follower.problem(atTheEnd: commits), nil)
          received.withLock { $0.append(follower.received) }
        }
        problems += context.expect(
          "\(name), received", received.withLock { $0.sorted() }, accounts.map(\.received).sorted())
        return problems
      }
    }
    return Row(
      name: name, operations: commits, nanoseconds: Spread([elapsed / .nanoseconds(1) / Double(commits)]),
      violations: problems)
  }
}
