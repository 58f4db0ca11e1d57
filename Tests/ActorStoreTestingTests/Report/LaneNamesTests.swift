import Testing

@testable import ActorStoreTesting

/// The names of the lanes in a report.
@Suite struct LaneNamesTests {
  private func text(
    _ lanes: [Int],
    _ names: [Int: String],
    _ functions: [Int: String] = [:],
    maxLength: Int = 100
  ) -> String {
    LaneNames(lanes: lanes, givenNames: names, functions: functions).lines(maxLength: maxLength).joined(separator: "\n")
  }

  @Test func containsGivenNames() {
    #expect(text([0, 1, 2], [1: "Ann", 2: "Bob"]) == "0 is the body, 1 is \"Ann\", 2 is \"Bob\"")
    #expect(text([0, 1], [:]) == "0 is the body")
  }

  /// A task with a name needs no function, and one without either is not listed.
  @Test func containsFunctionsOfTasksWithoutAName() {
    let functions = [1: "closure #1 in transfer()", 2: "closure #2 in transfer()"]
    #expect(text([0, 1, 2, 3], [1: "Ann"], functions) == "0 is the body, 1 is \"Ann\", 2 is closure #2 in transfer()")
  }

  @Test func groupsTasksWithTheSameFunction() {
    let functions = [1: "f()", 2: "f()", 4: "f()", 5: "g()", 6: "g()", 7: "g()"]
    let expected = "0 is the body, 1 and 2 are f(), 4 is f(), 5 to 7 are g()"
    #expect(text(Array(0..<8), [:], functions) == expected)
  }

  /// Tasks that are not shown separate groups and are not listed.
  @Test func containsOnlyTheGivenLanes() {
    #expect(text([0, 1, 3], [2: "Ann"], [1: "f()", 2: "f()", 3: "f()"]) == "0 is the body, 1 is f(), 3 is f()")
  }

  @Test func wrapsLongLines() {
    let names = [1: "Ann", 2: "Bob", 3: "Cy"]
    #expect(text([0, 1, 2, 3], names, maxLength: 25) == "0 is the body,\n1 is \"Ann\", 2 is \"Bob\",\n3 is \"Cy\"")
    #expect(text([0, 1], names, maxLength: 1) == "0 is the body,\n1 is \"Ann\"")
  }
}
