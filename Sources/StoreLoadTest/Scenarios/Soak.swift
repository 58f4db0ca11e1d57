import ActorStore
import HeapCalls

/// Everything at once, again and again: what is in use of the heap does not grow.
enum Soak {
  static let all = [Scenario(name: name, run: run)]

  private static let name = "soak"
  private static let rounds = 10

  /// The figure is a commit, with 60 who follow it and others who come and go.
  @Sendable private static func run(_ context: Context) async -> Row {
    let commits = context.scaled(4_000)
    let store = Store(Counter(), name: name)
    context.watch { "\(store.diagnostics.name), revision \(store.diagnostics.revision)" }
    var figures: [Double] = []
    var inUse: [Int] = []
    var problems = 0
    for round in 0..<rounds {
      let last = (round + 1) * commits
      figures.append(
        await nanosecondsPerOperation(commits) { await Self.round(store, commits, upTo: last, context) })
      problems += context.expect("\(name), subscribers that stayed", store.diagnostics.subscribers.count, 0)
      inUse.append(Int(heap_bytes_in_use()))
      context.beat()
    }
    // What the first rounds bring stays: caches, and what tasks are made of.
    let growth = inUse[rounds - 1] - inUse[rounds / 2]
    return Row(
      name: name, operations: rounds * commits, nanoseconds: Spread(figures), bytes: growth,
      violations: problems + context.expect("\(name), grew by \(growth) bytes", growth > 256 * 1_024, false)
        + context.expect("\(name), commits", Int(store.diagnostics.revision), rounds * commits))
  }

  private static func round(_ store: Store<Counter>, _ commits: Int, upTo last: Int, _ context: Context) async {
    await withTaskGroup { group in
      for index in 0..<60 {
        let kind = Follower.Kind.allCases[index % 3]
        let states = Follower(kind).states(of: store)
        group.addTask {
          var follower = Follower(kind)
          for await state in states {
            follower.saw(state.count)
            if state.count == last { break }
          }
          _ = context.expect("\(name), what was seen", follower.problem(atTheEnd: last), nil)
        }
      }
      for task in 0..<4 {
        group.addTask {
          for number in 0..<commits / 4 {
            await store.dispatch(Increment(task: task))
            if number % 16 == 0 { for await _ in store.states { break } }
            if number % 64 == 0 { _ = store.values(of: \.last) }
          }
        }
      }
    }
  }
}
