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
    let holder = #"account, whose turn is held by Settle of task 1 "Ann""#
    let comparable = report.replacing(#/closure (at|in) \S+/#, with: "closure")
    for (task, action) in [(#"task 3 "loader""#, "Deposit"), (#"task 2 "Bob""#, "closure")] {
      let texts = ["\(task) waits to run \(action) on \(holder)", "\(action) of \(task) waits for \(holder)"]
      #expect(texts.contains { comparable.contains($0) }, "\(texts) in \(comparable)")
    }
  }

  @Test func hasALaneForEachTask() throws {
    let report = try failure().description
    #expect(report.contains("step  0 1 2 3"))
    #expect(report.contains("1 is \"Ann\", 2 is \"Bob\""))
    #expect(report.contains("│ ● │ │  dispatches Settle to account: has the turn"))
    #expect(report.contains("│ │ ● │  Bob is late"))
    #expect(report.contains("queued behind Settle of task 1"))
  }

  @Test func saysHowToReplayTheRun() throws {
    let failure = try failure(.random(seed: 5))
    #expect(failure.description.contains("try Simulation.explore(.replay(\"\(failure.schedule)\")) { ... }"))
    #expect(failure.description.contains("strategy    .random(seed: "))
    #expect(failure.description.contains("built with  Swift 6"))
    #expect(failure.description.contains(isDebug ? "debug" : "release"))
  }

  private var isDebug: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
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
          await store.dispatch { _ async in for _ in 0..<10 { await Task.yield() } }
        }
        let waiting = Simulation.task { await store.dispatch(Deposit()) }
        for _ in 0..<5 { await Task.yield() }
        waiting.cancel()
        _ = await (cancelled.value, waiting.value)
        store.close()
        await store.dispatch(Deposit())
        throw Refused()
      }
    }
    let closure = showsFunctions ? #/closure (?:at|in) \S+/# : #/closure/#
    let withoutSites = failure.description.replacing(closure, with: "closure")
    let expected = [
      "sends Deposit to Store<Account>: queued behind closure of the body",
      "dispatches Deposit to Store<Account>: deferred behind closure of the body",
      "commits closure on Store<Account>", "begins Deposit on Store<Account>",
      "ends closure on Store<Account> without a commit", "withdraws Deposit from Store<Account>: canceled",
      "closes Store<Account>", "dispatches Deposit to Store<Account>: closed",
      "starts task", "wakes task 4", "The body threw: Refused()",
    ]
    for line in expected { #expect(withoutSites.contains(line), "\(line) in \(failure.description)") }
  }

  /// A replay needs the same timers and yields.
  @Test func theReplayHasTheSameTimersAndYields() throws {
    struct TooLate: Error {}
    let body: @Sendable () async throws -> Void = {
      let clock = SimulationClock()
      let store = Store(0)
      await withTaskGroup { group in
        group.addTask { while await store.state == 0 { await Task.yield() } }
        group.addTask {
          try? await clock.sleep(for: .seconds(1))
          await store.dispatch { $0 = 1 }
        }
        group.addTask { await store.dispatch { $0 *= 10 } }
      }
      if await store.state == 1 { throw TooLate() }
    }
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.exhaustive(), timers: .race(upTo: 2), body: body)
    }
    #expect(failure.error is TooLate)
    #expect(failure.schedule.description.hasPrefix("v1:fair"))
    let replay = #"try Simulation.explore(.replay("\#(failure.schedule)"), timers: .race(upTo: 2)) { ... }"#
    #expect(failure.description.contains(replay), "\(failure)")
    let again = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.replay(failure.schedule), timers: .race(upTo: 2), body: body)
    }
    #expect(again.error is TooLate && again.schedule == failure.schedule, "\(again)")
  }

  @Test func foldsRepetitions() throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.fifo, maxSteps: 1_000) {
        let clock = SimulationClock()
        while true { try await clock.sleep(for: .seconds(1)) }
      }
    }
    #expect(failure.description.contains("time advances to 1.0 seconds"), "\(failure)")
    #expect(failure.description.contains(#/the line above repeats \d+ more times, until step \d+ …/#), "\(failure)")
    #expect(failure.description.split(separator: "\n").count < 20)
  }

  /// The report of runs that differ shows the cause once, and the first line in which two runs differ.
  @Test func showsWhereTwoRunsPart() throws {
    let runs = Locked(0)
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore {
        let account = Store(Account(), name: "account")
        let run = runs.withLock { count in
          count += 1
          return count
        }
        await account.dispatch(Deposit())
        if run.isMultiple(of: 2) { _ = await account.state }
      }
    }
    let report = failure.description
    #expect(failure.error is Simulation.NotReproducible)
    #expect(report.matches(of: #/two different runs/#).count == 1, "\(report)")
    #expect(report.contains("first difference between two runs\n"), "\(report)")
    let lines = ["step 1: the body reads account", "the run has ended"]
    let runsInAnyOrder = [lines, lines.reversed()].map { "  shown below  \($0[0])\n  another run  \($0[1])\n" }
    #expect(runsInAnyOrder.contains { report.contains($0) }, "\(report)")
  }

  /// If a failure does not recur in the recorded run, the report says that the run is not reproducible.
  @Test func aFailureThatDoesNotComeAgainIsNotReproducible() throws {
    let runs = Locked(0)
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore {
        let run = runs.withLock { count in
          count += 1
          return count
        }
        // It fails twice, but not in the recorded run.
        if run == 10 || run == 11 { throw Refused() }
      }
    }
    #expect(failure.error is Simulation.NotReproducible)
    #expect(failure.description.contains("Refused(). But the same schedule produced two different runs"), "\(failure)")
  }

  @Test func actionsHaveNoGenericArguments() throws {
    struct Add<Amount: Sendable>: Mutation {
      func run(_ account: inout Account) {}
    }
    let report = try report {
      await Store(Account(), name: "account").dispatch(Add<[Int: String]>())
      throw Refused()
    }
    #expect(report.contains("dispatches Add to account: has the turn"))
  }

  @Test func aQueuedCallSaysBehindWhom() throws {
    let report = try report {
      let account = Store(Account(), name: "account")
      await account.dispatch { _ async in
        account.send(Deposit())
        account.send(Deposit())
        account.send(Deposit())
      }
      throw Refused()
    }
    #expect(report.contains(#/queued behind closure .*of the body\n/#), "\(report)")
    #expect(report.contains(#/queued behind closure .*of the body and 2 more\n/#), "\(report)")
  }

  @Test func streamsAndCancellationsHaveALine() throws {
    let report = try report {
      let account = Store(Account(), name: "account")
      let gate = Store(0, name: "gate")
      for await state in account.states {
        if state.balance == 1 { break }
        account.send { $0.balance = 1 }
      }
      await gate.dispatch { _ async in
        let ticket = account.send { _ async in await Simulation.task { await Task.yield() }.value }
        ticket.cancel()
        _ = await ticket.outcome
      }
      await withTaskGroup(of: Void.self) { group in
        group.cancelAll()
        group.addTask(name: "late") { _ = await account.dispatch(Deposit()) }
      }
      throw Refused()
    }
    let expected = [
      "creates a stream of account", "gets Account(balance: 0) from a stream of account",
      "gets Account(balance: 1) from a stream of account", "cancels closure",
      ", which is already canceled",
      "does not run Deposit on account, because the task is canceled",
    ]
    for line in expected { #expect(report.contains(line), "\(line) in \(report)") }
    if showsFunctions && isDebug {
      #expect(report.contains(#/creates a stream of account \(ReportTests.swift:\d+\)/#), "\(report)")
    }
  }

  #if os(Linux) && canImport(Runtime) && !PublicAPIOnly && compiler(>=6.3) && compiler(<6.4)
    private actor Bank {
      var balance = 10
      let auditor = Auditor()

      func withdraw(_ amount: Int) async {
        await auditor.write(amount)
        balance -= amount
      }
    }

    private actor Auditor {
      var sum = 0

      func write(_ amount: Int) { sum += amount }
    }

    @Test func actorsAndTheirMethodsHaveNames() throws {
      let report = try report {
        let bank = Bank()
        await withTaskGroup { group in
          for _ in 0..<2 { group.addTask { await bank.withdraw(10) } }
        }
        _ = await bank.balance
        throw Refused()
      }
      let expected = [
        "│ ● │  calls ReportTests.Bank.withdraw(_:)\n", "│ │ ●  calls ReportTests.Bank.withdraw(_:): waits\n",
        "│ ● │  calls Auditor from ReportTests.Bank.withdraw(_:)\n",
        "│ ● │  returns to ReportTests.Bank.withdraw(_:)\n",
        "│ │ │  Bank runs task 1 and task 2\n", "● │ │  calls Bank from closure #1 in ",
      ]
      // The optimizer can run code on an actor without entering it again.
      for line in isDebug ? expected : [expected[0]] { #expect(report.contains(line), "\(line) in \(report)") }
    }
  #endif

  // MARK: Names of functions

  private struct Refused: Error {}

  private var showsFunctions: Bool {
    #if os(Linux) && canImport(Runtime)
      true
    #else
      false
    #endif
  }

  private func report(of body: @escaping @Sendable @concurrent () async throws -> Void) throws -> String {
    try #require(throws: Simulation.Failure.self) { try Simulation.explore(.fifo, body: body) }.description
  }

  /// A task without a name is listed with its function.
  @Test func namesTheFunctionOfEachTask() throws {
    let report = try report {
      let store = Store(Account())
      await withTaskGroup { group in
        group.addTask { await Self.deposit(into: store) }
        group.addTask(name: "Ann") { await Self.deposit(into: store) }
        for _ in 0..<2 { group.addTask { await store.dispatch(Deposit()) } }
        await Simulation.task { await Task.yield() }.value
      }
      store.send(Deposit())
      throw Refused()
    }
    guard showsFunctions else { return #expect(report.contains("timeline (0 is the body, 2 is \"Ann\")\n")) }
    let function = "ReportTests.namesTheFunctionOfEachTask()"
    let names = """
      timeline (0 is the body, 1 is closure #1 in \(function), 2 is "Ann", 3 and 4 are closure #3 in \(function), 5 is \
      closure #4 in \(function))
      step
      """
    let withoutLines = report.replacing("\n          ", with: " ").replacing(#/ \(ReportTests.swift:\d+\)/#, with: "")
    #expect(withoutLines.contains(names), "\(report)")
  }

  private static func deposit(into account: Store<Account>) async {
    _ = await account.dispatch(Deposit())
  }

  /// Every line about a closure shows where it was dispatched or sent.
  @Test func showsTheCallOfEachClosure() throws {
    let line = #line
    let report = try report {
      let store = Store(Account())
      await store.dispatch { $0.balance += 1 }
      await store.dispatch { account async in
        store.send { $0.balance += 2 }
        account.balance += 1
      }
      await store.increment()
      throw Refused()
    }
    let showsLines = showsFunctions && isDebug
    let calls = [line + 3, line + 4, line + 5, Store<Account>.lineOfIncrement].map { line in
      showsLines ? "closure at ReportTests.swift:\(line)" : showsFunctions ? "closure in a function" : "closure"
    }
    // The optimizer can inline functions.
    let comparable = showsLines ? report : report.replacing(#/closure in \S+/#, with: "closure in a function")
    let expected = [
      "dispatches \(calls[0]) to Store<Account>: has the turn", "commits \(calls[0]) on Store<Account>",
      "dispatches \(calls[1]) to Store<Account>: has the turn",
      "sends \(calls[2]) to Store<Account>: queued behind \(calls[1]) of the body",
      "commits \(calls[1]) on Store<Account>", "begins \(calls[2]) on Store<Account>",
      "commits \(calls[2]) on Store<Account>", "dispatches \(calls[3]) to Store<Account>: has the turn",
    ]
    for line in expected { #expect(comparable.contains(line), "\(line) in \(report)") }
  }

  /// A label says more than a place.
  @Test func closureWithALabelShowsOnlyTheLabel() throws {
    let report = try report {
      await Store(Account()).dispatch(label: "increment") { $0.balance += 1 }
      throw Refused()
    }
    #expect(report.contains("dispatches increment to Store<Account>: has the turn"))
    #expect(report.contains("commits increment on Store<Account>"))
  }

  /// A step of a task that does nothing notable has no line.
  @Test func eachLineSaysWhatATaskDid() throws {
    let report = try report {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      await withTaskGroup { group in
        group.addTask { for await _ in stream {} }
        group.addTask {
          for number in 0..<3 { continuation.yield(number) }
          continuation.finish()
        }
      }
      throw Refused()
    }
    let lines = report.split(separator: "\n").drop { !$0.hasPrefix("step") }.dropFirst()
    #expect(lines.count > 2)
    for line in lines { #expect(!line.contains(#/[●│] +(runs)?$/#), "\(line)") }
  }

  @Test func longRunIsTruncatedInTheMiddle() throws {
    let failure = try #require(throws: Simulation.Failure.self) {
      try Simulation.explore(.fifo, maxSteps: 1_000) {
        for number in 1... {
          Simulation.note("round \(number)")
          await Task.yield()
        }
      }
    }
    #expect(failure.description.contains(#/… 18\d\d lines …/#))
    #expect(failure.description.split(separator: "\n").count < 140)
  }
}

extension Store<Account> {
  fileprivate static let lineOfIncrement = #line + 3

  fileprivate func increment() async {
    await dispatch { $0.balance += 1 }
  }
}
