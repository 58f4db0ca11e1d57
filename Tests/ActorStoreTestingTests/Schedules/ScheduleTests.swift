import ActorStoreTesting
import Testing

/// The text of a schedule, which users copy from reports.
@Suite struct ScheduleTests {
  @Test(arguments: ["v1:", "v1:1", "v1:2.0x3.1", "v1:0x3.1", "v1:1.1.2", "v1:7x12.0.7", "v1:fair", "v1:fair.0x3.1"])
  func parsingRoundTrips(_ text: String) throws {
    #expect(try Simulation.Schedule(parsing: text).description == text)
  }

  @Test func manyChoices() throws {
    let text = "v1:1x2000000.2"
    #expect(try Simulation.Schedule(parsing: text).description == text)
    let parts = Array(repeating: "1x1000000", count: 11).joined(separator: ".")
    #expect(throws: Simulation.Schedule.FormatError.notADecision("1x1000000")) {
      try Simulation.Schedule(parsing: "v1:\(parts)")
    }
  }

  @Test func trailingZerosAreDropped() throws {
    #expect(try Simulation.Schedule(parsing: "v1:3.0x40") == "v1:3")
  }

  @Test(arguments: ["", "1.2", "sim:1"])
  func textWithoutAVersionIsRejected(_ text: String) {
    #expect(throws: Simulation.Schedule.FormatError.noVersion(text)) { try Simulation.Schedule(parsing: text) }
  }

  @Test func unknownVersionIsRejected() {
    #expect(throws: Simulation.Schedule.FormatError.unknownVersion("v2")) {
      try Simulation.Schedule(parsing: "v2:1")
    }
  }

  @Test(arguments: ["a", "-1", "1x", "x2", "1x2x3", "1x-2", "0x99999999999", "1x10000000", "9999999999999999999999"])
  func invalidDecisionIsRejected(_ part: String) {
    #expect(throws: Simulation.Schedule.FormatError.notADecision(part)) {
      try Simulation.Schedule(parsing: "v1:1.\(part)")
    }
  }

  @Test func errorsSayWhatToDo() {
    #expect("\(Simulation.Schedule.FormatError.unknownVersion("v2"))".contains("explore again"))
    #expect("\(Simulation.Schedule.FormatError.noVersion("x"))".contains("\"v1:\""))
  }
}
