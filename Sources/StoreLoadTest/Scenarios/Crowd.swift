import ActorStore

/// The full size: 1,000 subscribers of three kinds and 100,000 commits by 8 tasks; all that was offered is accounted for.
enum Crowd {
  static let all = [Scenario(name: name, run: run)]

  private static let name = "1,000 subscribers, 100,000 commits"
  private static let subscribers = 1_000

  @Sendable private static func run(_ context: Context) async -> Row {
    let commits = context.options.isQuick ? 1_000 : 100_000
    let store = Store(Counter(), name: name)
    context.watch { "\(store.diagnostics.name), revision \(store.diagnostics.revision)" }
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
        var received: [Int] = []
        for await follower in group {
          problems += context.expect("\(name), what was seen", follower.problem(atTheEnd: commits), nil)
          received.append(follower.received)
        }
        problems += context.expect(
          "\(name), received", received.sorted(), accounts.map(\.received).sorted())
        return problems
      }
    }
    return Row(
      name: name, operations: commits, nanoseconds: Spread([elapsed / .nanoseconds(1) / Double(commits)]),
      violations: problems)
  }
}
