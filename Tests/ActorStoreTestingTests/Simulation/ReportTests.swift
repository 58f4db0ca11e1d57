import ActorStore
import ActorStoreTesting
import Testing

/// The report of a failure.
@Suite struct ReportTests {
  private static let body: @Sendable () async throws -> Void = {
    let account = Store(Account(), name: "account")
    await withTaskGroup { group in
      group.addTask(name: "Ann") {
        let loading = Simulation.task(name: "loader") { _ = await account.dispatch(Deposit()) }
        _ = await account.dispatch(Settle(loading: loading))
      }
      group.addTask(name: "Bob") {
        Simulation.note("Bob is late")
        _ = await account.dispatch { $0.balance += 1 }
      }
    }
  }

  private func failure(_ strategy: Simulation.Strategy = .mixed(seed: 0)) throws -> Simulation.Failure {
    try #require(throws: Simulation.Failure.self) { try Simulation.explore(strategy, body: Self.body) }
  }

  @Test func namesWaitersAndHolders() throws {
    let report = try failure().description
    #expect(report.contains("Deadlock, proven"))
    #expect(
      report.contains("Deposit of task 3 \"loader\" waits for account, whose turn is held by Settle of task 1 \"Ann\""))
    #expect(
      report.contains("closure of task 2 \"Bob\" waits for account, whose turn is held by Settle of task 1 \"Ann\""))
  }

  @Test func hasALaneForEachTask() throws {
    let report = try failure().description
    #expect(report.contains("step  0 1 2 3"))
    #expect(report.contains("1 is \"Ann\", 2 is \"Bob\""))
    #expect(report.contains("│ ● │ │  dispatches Settle to account: has the turn"))
    #expect(report.contains("│ │ ● │  Bob is late"))
    #expect(report.contains("queued, behind Settle of task 1"))
  }

  @Test func saysHowToReplayTheRun() throws {
    let failure = try failure(.random(seed: 5))
    #expect(failure.description.contains("try Simulation.explore(.replay(\"\(failure.schedule)\")) { ... }"))
    #expect(failure.description.contains("strategy    .random(seed: "))
    #expect(failure.description.contains("built with  Swift 6"))
    #expect(failure.description.contains(isDebug ? "debug" : "release"))
  }

  private var isDebug: Bool {
    var isDebug = false
    assert({ isDebug = true }() == ())
    return isDebug
  }

  @Test func isMinimized() throws {
    let failure = try failure(.random(seed: 0))
    let simplest = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.replay(failure.schedule), body: Self.body)
    }
    #expect(simplest.verdict == .deadlock)
    // First come, first served is enough to deadlock, so no decisions remain.
    #expect(failure.schedule == "v1:")
    #expect(failure.description.contains("minimized from"))
  }

  @Test func reportsTheResultOfEachCall() throws {
    struct Refused: Error {}
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.fifo) {
        let store = Store(Account())
        await store.dispatch { _ async in
          store.send(Deposit())
          await store.dispatch(Deposit())
        }
        await store.dispatch { $0.balance += 1 }
        _ = try? await store.dispatch { _ in throw Refused() }
        let cancelled = Simulation.task {
          await store.dispatch { _ async in await Task.yield() }
        }
        let waiting = Simulation.task { await store.dispatch(Deposit()) }
        await Task.yield()
        waiting.cancel()
        _ = await (cancelled.value, waiting.value)
        store.close()
        await store.dispatch(Deposit())
        throw Refused()
      }
    }
    let expected = [
      "sends Deposit to Store<Account>: queued, behind closure of the body",
      "dispatches Deposit to Store<Account>: deferred, behind closure of the body",
      "commits closure on Store<Account>", "begins Deposit on Store<Account>",
      "ends closure on Store<Account> without a commit", "withdraws Deposit from Store<Account>: canceled",
      "closes Store<Account>", "dispatches Deposit to Store<Account>: closed",
      "starts task", "wakes task 4", "The body threw: Refused()",
    ]
    for line in expected { #expect(failure.description.contains(line), "\(line) in \(failure.description)") }
  }

  @Test func longRunIsTruncatedInTheMiddle() throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.fifo, maxSteps: 1_000) { while true { await Task.yield() } }
    }
    #expect(failure.description.contains("880 lines"))
    #expect(failure.description.split(separator: "\n").count < 140)
  }
}
