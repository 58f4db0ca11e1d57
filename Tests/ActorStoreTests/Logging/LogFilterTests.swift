import Testing

@testable import ActorStore

/// The choice of records.
@Suite struct LogFilterTests {
  private let list = RecordList()

  /// The labels of the records that pass a filter.
  private func passing(_ filter: LogFilter) -> [String] {
    let logger = ActionLogger<Pantry>(to: LogSink(list.append), filter: filter, differenceLines: 0, clock: nil)
    logger.didEnd(Visit(), report: .end(1, waited: .milliseconds(3), ran: .milliseconds(2)))
    logger.didEnd(Stock(item: "tea"), report: .end(2, ran: .milliseconds(4)))
    logger.didEnd(ClosureMutation<Pantry, Void, Never>(label: "tidy") { _ in }, report: .end(3, ran: .seconds(1)))
    logger.didEnd(Visit(), report: .end(3, .cancelled))
    logger.didEnd(group: 1, report: GroupReport(outcome: .committed, isSent: true, ran: .milliseconds(6)))
    return list.all.map(\.label)
  }

  @Test func all() { #expect(passing(.all) == ["Visit", "Stock", "tidy", "Visit", "Int"]) }

  @Test func includedTypes() { #expect(passing(.all.including(Stock.self).including(Int.self)) == ["Stock", "Int"]) }

  @Test func includedLabels() {
    #expect(passing(.all.including(labels: "tidy", "Visit").including(Stock.self)) == ["Stock", "tidy"])
  }

  @Test func excludedTypesAndLabels() {
    #expect(passing(.all.excluding(Visit.self).excluding(labels: "tidy", "Stock")) == ["Stock", "Int"])
  }

  @Test func outcomes() {
    #expect(passing(.all.outcomes(.failed, .cancelled)) == ["Visit"])
    #expect(list.all.first?.outcome == .cancelled)
  }

  @Test func durations() {
    #expect(passing(.all.lasting(atLeast: .milliseconds(5))) == ["Visit", "tidy", "Int"])
    #expect(list.all.first?.outcome == .committed)
  }

  @Test func allConditionsMustHold() {
    let filter = LogFilter.all.outcomes(.committed).excluding(Stock.self).lasting(atLeast: .milliseconds(6))
    #expect(passing(filter) == ["tidy", "Int"])
  }

  /// The mirror of an action that does not pass is never read.
  @Test func theFilterIsCheckedBeforeAnyText() {
    struct Costly: Mutation, CustomReflectable {
      let number = 1
      func run(_ pantry: inout Pantry) {}
      var customMirror: Mirror {
        Issue.record("the action becomes text")
        return Mirror(self, children: [:])
      }
    }
    let logger = ActionLogger<Pantry>(to: LogSink(list.append), filter: .all.outcomes(.failed))
    logger.didEnd(Costly(), report: .end(1))
    #expect(list.all.isEmpty)
  }
}
