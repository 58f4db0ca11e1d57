import ActorStore
import ActorStoreTesting
import Synchronization
import Testing

/// The examples in the articles about guards, logs, and metrics do what the text says.
@Suite struct GuardExampleTests {
  private struct SoldOut: Error {}

  struct Sell: Mutation {
    func run(_ stock: inout Int) { stock -= 1 }
  }

  private final class Notes: Sendable {
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func add(_ note: String) { notes.withLock { $0.append(note) } }
  }

  private let notes = Notes()

  private func report(
    _ outcome: ReportedOutcome,
    member: Int? = nil,
    ran: Duration? = .seconds(3)
  ) -> ActionReport<Int> {
    ActionReport(outcome: outcome, ticket: 1, revision: 1, member: member, ran: ran)
  }

  // MARK: Around an action

  @Test func guardsRefuseAndNote() async {
    #expect(await AroundAnAction().guards() == ["Sell was refused: the shop is closed", "Sell failed: SoldOut()"])
  }

  @Test func aWatchdogReportsTurns() throws {
    try Simulation.explore(schedules: 10, timers: .race(upTo: 0)) {
      let lines = try await AroundAnAction().turns()
      let notes = lines.filter { $0.hasSuffix("outside the stores") }
      try Simulation.expect(Set(notes) == ["Transfer computes, or waits for something outside the stores"])
      let waits = lines.filter { $0.contains("waiting for bank (Transfer has the turn)") }
      try Simulation.expect(waits.count <= 2 && lines.count >= 3)
    }
  }

  @Test func aGuardSendsToAnotherStore() async throws {
    #expect(try await AroundAnAction().trail() == ["Sell committed", "Close committed"])
  }

  @Test func transitionsAreAHistory() async throws {
    #expect(try await AroundAnAction().history() == ["1: Sell", "2: Close"])
  }

  // MARK: Logging and metrics

  @Test func theLogHidesThePassword() async throws {
    let lines = await LoggingAndMetrics().log()
    let start = "shop: LogIn committed as revision 3"
    let end = "password: Password(text: \"hidden\") ! not equal, though they look the same )"
    #expect(lines.count == 2 && lines[1].hasPrefix(start) && lines[1].hasSuffix(end), "\(lines)")
    #expect(!lines[1].contains("secret"))
    let article = try Project.text("Sources/ActorStore/ActorStore.docc/LoggingAndMetrics.md")
    #expect(article.contains("\n\(lines[0])\n"), "\(lines)")
  }

  @Test func prometheusGetsASeriesForEachName() async throws {
    let text = await LoggingAndMetrics().measure()
    let lines = try Project.text("Sources/ActorStore/ActorStore.docc/LoggingAndMetrics.md")
      .split(separator: "\n").filter { $0.hasPrefix("actorstore_") }
    #expect(lines.count == 5)
    for line in lines { #expect(text.contains("\n\(line)\n"), "\(line)") }
  }

  // MARK: Adapters

  @Test func swiftLogGetsALevelAndMetadata() async {
    let logger = Logging.Logger { [notes] level, text, metadata in
      notes.add("\(level) \(text)")
      #expect(metadata["action"] == .string("Sell"))
    }
    let guardOfStore = ActionLogger<Int>(to: .swiftLog(logger), differenceLines: 0, clock: nil)
    guardOfStore.didEnd(Sell(), report: report(.committed, ran: nil))
    guardOfStore.didEnd(Sell(), report: report(.failed(SoldOut()), ran: nil))
    guardOfStore.didEnd(Sell(), report: report(.vetoed(Veto("closed")), ran: nil))
    #expect(
      notes.all == [
        "debug Int: Sell committed as revision 1, ticket 1, 0 ahead",
        "error Int: Sell failed after revision 1, ticket 1, 0 ahead: SoldOut",
        "warning Int: Sell vetoed after revision 1, ticket 1, 0 ahead: closed",
      ])
  }

  #if !canImport(os)
    @Test func theSystemLogHidesAllButTheLabel() {
      let logger = os.Logger { [notes] level, text in
        notes.add("\(level.name) \(text)")
      }
      let guardOfStore = ActionLogger<Int>(to: .systemLog(logger), differenceLines: 0)
      guardOfStore.didEnd(Sell(), report: report(.committed))
      guardOfStore.didEnd(Sell(), report: report(.failed(SoldOut())))
      #expect(notes.all == ["debug Sell: <private>", "error Sell: <private>"])
    }
  #endif

  @Test func swiftMetricsGetsACountAndATime() {
    let reporter = MetricsReporter<Int>()
    #expect(reporter.reportClock is ContinuousClock)
    reporter.didEnd(Sell(), report: report(.deferred))
    reporter.didEnd(Sell(), report: report(.committed))
    reporter.didEnd(Sell(), report: report(.cancelled, ran: nil))
    #expect(
      NotedMetrics.all == [
        "store_actions{action=Sell,outcome=deferred} +1",
        "store_actions{action=Sell,outcome=committed} +1",
        "store_action_run{action=Sell} 3.0 seconds",
        "store_actions{action=Sell,outcome=cancelled} +1",
      ])
  }

  @Test func aSpanIsRecordedForEachActionThatRan() {
    let reporter = SpanReporter<Int>(tracer: NotingTracer(note: notes.add))
    reporter.didEnd(Sell(), report: report(.committed))
    reporter.didEnd(Sell(), report: report(.failed(SoldOut())))
    for ended in [report(.cancelled, ran: nil), report(.committed, member: 1), report(.deferred)] {
      reporter.didEnd(Sell(), report: ended)
    }
    #expect(
      notes.all == [
        "Sell 7000000000", "store.outcome=committed", "end 10000000000",
        "Sell 7000000000", "store.outcome=failed", "SoldOut()", "error", "end 10000000000",
      ])
  }

  private struct NotingTracer: Tracer, Span {
    let note: @Sendable (String) -> Void

    var attributes: [String: String] {
      get { [:] }
      nonmutating set { for (name, value) in newValue { note("\(name)=\(value)") } }
    }

    func startSpan(_ operationName: String, at instant: @autoclosure () -> some TracerInstant) -> any Span {
      note("\(operationName) \(instant().nanosecondsSinceEpoch)")
      return self
    }

    func setStatus(_ status: SpanStatus) { note("\(status.code)") }
    func recordError(_ error: any Error) { note("\(error)") }
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
      note("end \(instant().nanosecondsSinceEpoch)")
    }
  }

  @Test func theMiddlewareOfTheArticle() async {
    let seen = await AroundAnAction().middleware()
    #expect(seen.span == "SeeSpan" && seen.left == 2)
    #expect(seen.refusal?.reason == "the count is negative" && seen.refusal?.refuser == AroundAnAction.SellLimit.self)
  }

  @Test func theRetryOfTheArticle() async {
    #expect(await AroundAnAction().retries() == 3)
  }
}
