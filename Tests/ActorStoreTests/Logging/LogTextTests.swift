import Testing

@testable import ActorStore

/// The text of records.
@Suite struct LogTextTests {
  private let list = RecordList()
  private var logger: ActionLogger<Pantry> {
    ActionLogger(to: LogSink(list.append), showsPayloads: true, clock: nil)
  }

  @Test func aCommit() {
    let report = ActionReport(
      outcome: .committed, ticket: 14, revision: 1, queueLength: 3, waited: .zero, ran: .nanoseconds(1_234),
      states: ReportedStates(old: Pantry(), new: Pantry(items: ["tea"])))
    logger.didEnd(Stock(item: "tea"), report: report)
    #expect(
      list.all.first?.text(.line) == """
        Pantry: Stock(item: "tea") committed as revision 1, ticket 14, waited 0 ns, ran 1.2 us, 3 ahead: \
        Pantry( items: [ + [0]: "tea" ], … (1 unchanged) )
        """)
    #expect(
      list.all.first?.text(.lines) == """
        Pantry: Stock(item: "tea") committed as revision 1, ticket 14, waited 0 ns, ran 1.2 us, 3 ahead
          Pantry(
            items: [
        +     [0]: "tea"
            ],
            … (1 unchanged)
          )
        """)
  }

  @Test func aTree() {
    let logger = ActionLogger<Pantry>(
      to: LogSink(list.append), showsPayloads: true, differenceLines: 0, treeLines: 10, clock: nil)
    let report = ActionReport(
      outcome: .committed, ticket: 14, revision: 1, queueLength: 0, waited: nil, ran: nil,
      states: ReportedStates(old: Pantry(), new: Pantry(items: ["tea"])))
    logger.didEnd(Stock(item: "tea"), report: report)
    #expect(list.all.first?.difference == nil)
    #expect(
      list.all.first?.text(.tree) == """
        Pantry: Stock(item: "tea") committed as revision 1, ticket 14, 0 ahead
        \(Dump.text(of: Pantry(items: ["tea"]), style: .outline))
        """)
  }

  @Test func otherOutcomes() {
    logger.didEnd(Visit(), report: .end(0, .failed(Spoiled(item: "milk")), ticket: 3))
    logger.didEnd(Visit(), report: .end(0, .givenUp))
    logger.didEnd(Visit(), report: .end(0, .undone, member: 2))
    logger.didEnd(Visit(), report: .end(0, .vetoed(Veto("closed\n  today"))))
    #expect(
      list.lines == [
        #"Pantry: Visit failed after revision 0, ticket 3, 0 ahead: Spoiled(item: "milk")"#,
        "Pantry: Visit given up after revision 0, 0 ahead", "Pantry: Visit undone after revision 0, member 2, 0 ahead",
        "Pantry: Visit vetoed after revision 0, 0 ahead: closed today",
      ])
  }

  static let durations: [(Duration, String)] = [
    (.nanoseconds(0), "0 ns"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1_000), "1.0 us"),
    (.nanoseconds(99_990), "99.9 us"), (.nanoseconds(100_000), "100 us"), (.nanoseconds(999_999), "999 us"),
    (.microseconds(1_000), "1.0 ms"), (.milliseconds(12), "12.0 ms"), (.milliseconds(250), "250 ms"),
    (.milliseconds(1_250), "1.2 s"), (.seconds(99), "99.0 s"), (.seconds(100), "100 s"),
    (.seconds(1_000_000_000_000), "1000000000000 s"), (.nanoseconds(-5), "-5 ns"), (.milliseconds(-1_250), "-1.2 s"),
    (.milliseconds(20_050), "20.0 s"), (.milliseconds(-99_999), "-99.9 s"), (.nanoseconds(-100_000_000_000), "-100 s"),
    (Duration(attoseconds: .max), "170141183460469231731 s"), (Duration(attoseconds: .min), "-170141183460469231731 s"),
    (.seconds(Int64.max) + .seconds(1), "9223372036854775808 s"),
  ]

  @Test(arguments: durations) func durationsAreReadable(_ duration: Duration, _ text: String) {
    logger.didEnd(Visit(), report: .end(0, .cancelled, ran: duration))
    #expect(list.lines == ["Pantry: Visit cancelled after revision 0, ran \(text), 0 ahead"])
  }

  /// A long difference ends after the permitted number of lines.
  @Test func differencesAreBounded() {
    let logger = ActionLogger<Pantry>(to: LogSink(list.append), differenceLines: 3, clock: nil)
    logger.didEnd(Visit(), report: .end(1, from: Pantry(), to: Pantry(items: (0..<1_000).map { "\($0)" })))
    #expect(
      list.all.first?.difference == """
          Pantry(
            items: [
        +     [0]: "0",
        … (1002 more lines)
        """)
  }
}
