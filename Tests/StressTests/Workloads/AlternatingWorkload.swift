import ActorStore
import ActorStoreTesting

/// Two tasks take turns, and a third one interrupts them.
///
/// The workload fails if the two alternate for `limit` turns while the third task gets none. In few schedules, one task
/// starves while the others alternate.
struct AlternatingWorkload: Sendable {
  private struct Turns: Sendable {
    var last = 0
    var count = 0
  }

  /// The number of turns in a row that is a failure.
  var limit = 9
  var turns = 6

  func run() async throws {
    let store = Store(Turns())
    try await withThrowingTaskGroup { group in
      for task in 1...2 {
        group.addTask { [self] in
          for _ in 0..<turns {
            let count = await store.dispatch { (turns: inout Turns) -> Int in
              turns = Turns(last: task, count: turns.last == 3 - task ? turns.count + 1 : 1)
              return turns.count
            }.output
            try Simulation.expect((count ?? 0) < limit, "the third task starves")
          }
        }
      }
      group.addTask { [self] in
        for _ in 0..<turns { await store.dispatch { $0 = Turns() } }
      }
      try await group.waitForAll()
    }
  }
}
