import Testing

@testable import ActorStoreTesting

/// The timeline of a report.
@Suite struct LanesTests {
  private func line(_ step: Int, _ lane: Int?, _ text: String = "yields") -> Recording.Line {
    Recording.Line(step: step, lane: lane, text: text)
  }

  @Test func hasAColumnForEachTask() {
    let mailbox = line(3, nil, "an actor processes its mailbox")
    let lanes = Lanes(lines: [line(1, 0, "starts task 1"), line(2, 1), line(2, 1, "hops"), mailbox], count: 3)
    let expected = """
      step  0 1 2\u{20}
         1  ● │ │  starts task 1
         2  │ ● │  yields
            │ ● │  hops
         3  │ │ │  an actor processes its mailbox
      """
    #expect(lanes.description == expected)
    #expect(lanes.shown == [0, 1, 2])
  }

  @Test func aMessageHasOneLine() {
    let lanes = Lanes(lines: [line(1, 0, "Expected 3:\n- 2\n+ 3")], count: 1)
    #expect(lanes.description == "step  0 \n   1  ●  Expected 3: …")
  }

  @Test func sixteenTasksKeepTheirColumns() {
    let lanes = Lanes(lines: [line(1, 3)], count: 16)
    #expect(lanes.shown == Array(0..<16))
    #expect(lanes.description.hasPrefix("step  0  1  2 "))
  }

  /// Of many tasks, those without a line have no column.
  @Test func onlyTasksWithALineHaveAColumn() {
    let lanes = Lanes(lines: [line(1, 0), line(2, 200), line(3, 20)], count: 300)
    let expected = """
      step  0   20  200\u{20}
         1  ●   │   │    yields
         2  │   │   ●    yields
         3  │   ●   │    yields
      """
    #expect(lanes.description == expected)
    #expect(lanes.shown == [0, 20, 200])
  }

  /// Tasks whose lines are all omitted have no column.
  @Test func tasksInOmittedLinesHaveNoColumn() {
    let lines = (0..<100).map { line($0, $0 < 10 ? 0 : $0 < 90 ? $0 : 1, "step \($0)") }
    let lanes = Lanes(lines: lines, count: 300, maxRows: 20)
    #expect(lanes.shown == [0, 1])
    #expect(lanes.description.contains("… 80 lines …"))
    #expect(lanes.description.split(separator: "\n").count == 22)
  }

  /// Each line has the number of its task if there are too many columns.
  @Test func hundredsOfTasksFitIntoALine() {
    let lines = [line(1, 0, "starts task 1"), line(1, 0, "starts task 2")] + (1..<60).map { line($0 + 1, $0 * 5) }
    let lanes = Lanes(lines: lines + [line(61, nil, "time advances to 1.0 seconds")], count: 300)
    let expected = """
      step  task
         1     0  starts task 1
               0  starts task 2
         2     5  yields
      """
    #expect(lanes.description.hasPrefix(expected))
    #expect(lanes.description.hasSuffix("  60   295  yields\n  61        time advances to 1.0 seconds"))
    #expect(lanes.description.split(separator: "\n").allSatisfy { $0.count < 50 })
  }

  /// A heartbeat has one line for each of its parts.
  @Test func repetitionsAreFolded() {
    let beats = (1...500).flatMap { step in
      [
        Recording.Line(step: step, lane: nil, text: "time advances to \(step) seconds", pattern: "time advances"),
        line(step, 1, "beats"),
      ]
    }
    let lanes = Lanes(lines: [line(0, 0, "starts task 1")] + beats + [line(501, 0, "ends")], count: 2)
    let expected = """
      step  0 1\u{20}
         0  ● │  starts task 1
         1  │ │  time advances to 1 seconds
            │ ●  beats
            … the 2 lines above repeat 499 more times, until step 500 …
       501  ● │  ends
      """
    #expect(lanes.description == expected)
  }
}
