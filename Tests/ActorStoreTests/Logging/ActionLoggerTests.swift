import Foundation
import Testing

@testable import ActorStore

/// The records that a logger writes, and their order.
@Suite struct ActionLoggerTests {
  private let list = RecordList()

  private func logger(_ filter: LogFilter = .all, lines: Int = 0, backlog: Int = 100) -> ActionLogger<Pantry> {
    ActionLogger(
      to: LogSink(backlog: backlog, list.append), filter: filter, showsPayloads: true, differenceLines: lines,
      clock: nil)
  }

  @Test func aRecordHasTheContentsOfItsReport() throws {
    let report = ActionReport(
      outcome: .committed, ticket: 7, revision: 1, queueLength: 3, waited: .zero, ran: .milliseconds(2),
      states: ReportedStates(old: Pantry(), new: Pantry(visits: 1)))
    logger(lines: 20).didEnd(Stock(item: "tea"), report: report)
    let record = try #require(list.all.first)
    #expect(record.store == "Pantry" && record.label == "Stock" && record.payload == #"Stock(item: "tea")"#)
    #expect(record.outcome == .committed && record.reason == nil && record.member == nil && record.dropped == 0)
    #expect(record.ticket == 7 && record.revision == 1 && record.queueLength == 3)
    #expect(record.waited == .zero && record.ran == .milliseconds(2))
    #expect(record.difference == Dump.difference(from: Pantry(), to: Pantry(visits: 1)))
  }

  @Test func aCommitWithoutChangesSaysSo() {
    logger(lines: 20).didEnd(Visit(), report: .end(1, from: Pantry(), to: Pantry()))
    #expect(list.all.first?.difference == "no change")
  }

  @Test func statesAreRequestedOnlyForDifferences() {
    #expect(logger(lines: 1).reportsStates && !logger(lines: 0).reportsStates)
    #expect(ActionLogger<Pantry>().reportClock is ContinuousClock && logger().reportClock == nil)
  }

  @Test func everyOutcomeHasARecord() {
    let logger = logger()
    let ends: [ReportedOutcome] = [
      .failed(Spoiled(item: "milk")), .vetoed(Veto("closed")), .cancelled, .deferred, .givenUp, .closed, .undone,
    ]
    for end in ends { logger.didEnd(Visit(), report: .end(0, end)) }
    #expect(list.all.map(\.outcome) == ReportedOutcome.Kind.allCases.filter { $0 != .committed })
    #expect(list.all.map(\.reason) == [#"Spoiled(item: "milk")"#, "closed", nil, nil, nil, nil, nil])
  }

  @Test func closuresAndTransactionsHaveTheirLabels() {
    let logger = logger()
    logger.didEnd(
      ClosureMutation<Pantry, Void, Never>(label: "tidy") { $0.items = [] }, report: .end(1))
    logger.didEnd(
      ClosureAction<Pantry, Void, Never>(label: "sort") { $0.items.sort() }, report: .end(2))
    logger.didEnd(
      TransactionMutation<Pantry, Void, Never>(label: "move") { _ in }, report: .end(3))
    logger.didEnd(
      TransactionAction<Pantry, Void, Never>(label: "fetch") { _ in }, report: .end(4))
    #expect(list.all.map(\.label) == ["tidy", "sort", "move", "fetch"])
    #expect(list.all.map(\.payload) == [nil, nil, nil, nil])
  }

  @Test func groupsHaveOneRecordAfterTheirActions() {
    struct Shopping: Sendable { let shop = "corner" }
    let logger = logger()
    logger.didEnd(Visit(), report: .end(2))
    logger.didEnd(group: Shopping(), report: GroupReport(outcome: .committed, isSent: false, ran: .seconds(1)))
    logger.didEnd(Visit(), report: .end(1))
    #expect(list.all.map(\.label) == ["Visit", "Visit", "Shopping"])
    #expect(list.lines.last == #"Pantry: Shopping(shop: "corner") committed, ran 1.0 s"#)
  }

  // MARK: Order

  @Test func commitsAreWrittenInOrder() {
    let logger = logger(.all.excluding(Stock.self))
    logger.didEnd(Visit(), report: .end(4))
    logger.didEnd(Visit(), report: .end(4, .cancelled))
    logger.didEnd(Stock(item: "tea"), report: .end(3))
    logger.didEnd(Visit(), report: .end(2))
    #expect(list.all.isEmpty)
    logger.didEnd(Visit(), report: .end(1))
    #expect(list.revisions == [1, 2, 4, 4])
    #expect(list.all.last?.outcome == .cancelled)
  }

  @Test func membersPrecedeTheirTransaction() {
    let logger = logger(.all.excluding(labels: "excluded"))
    func transaction(_ label: StaticString) -> TransactionMutation<Pantry, Void, Never> {
      TransactionMutation(label: label) { _ in }
    }
    logger.didEnd(Visit(), report: .end(1, ticket: 5, member: 1))
    logger.didEnd(Stock(item: "tea"), report: .end(1, ticket: 5, member: 2))
    logger.didEnd(Visit(), report: .end(2, ticket: 6))
    logger.didEnd(transaction("move"), report: .end(1, ticket: 5))
    #expect(list.all.map(\.label) == ["Visit", "Stock", "move", "Visit"])
    #expect(list.all.map(\.member) == [1, 2, nil, nil])
    logger.didEnd(Visit(), report: .end(2, .undone, ticket: 7, member: 1))
    #expect(list.all.count == 4)
    logger.didEnd(transaction("excluded"), report: .end(2, .failed(Spoiled(item: "tea")), ticket: 7))
    #expect(list.all.last?.outcome == .undone)
  }

  /// Each store has its own order and name.
  @Test func oneLoggerOfTwoStores() {
    let logger = logger()
    let stores = ["One", "Two"].compactMap { name in
      logger.makeGuard(for: GuardedStore(name: .text(name), queue: TurnQueue()))
    }
    stores[0].didEnd(Visit(), report: .end(2))
    stores[1].didEnd(Visit(), report: .end(1))
    stores[0].didEnd(Visit(), report: .end(1))
    #expect(list.all.map(\.store) == ["Two", "One", "One"])
  }

  // MARK: Sinks that take long

  /// The sink makes further reports, as other callers do while it blocks.
  @Test func otherCallersReturnWhileTheSinkBlocks() {
    let isInside = Locked(false)
    let held = Locked<ActionLogger<Pantry>?>(nil)
    let sink = LogSink(backlog: 5) { [list] record in
      #expect(
        isInside.withLock { isInside in
          defer { isInside = true }
          return !isInside
        })
      if record.revision == 1, let logger = held.withLock({ $0 }) {
        for revision in 2...20 { logger.didEnd(Visit(), report: .end(UInt64(revision))) }
        #expect(list.all.isEmpty)
      }
      list.append(record)
      isInside.withLock { $0 = false }
    }
    let logger = ActionLogger<Pantry>(to: sink, differenceLines: 0, clock: nil)
    held.withLock { $0 = logger }
    logger.didEnd(Visit(), report: .end(1))
    #expect(list.revisions == [1, 2, 3, 4, 5, 6])
    logger.didEnd(Visit(), report: .end(21))
    #expect(list.all.map(\.dropped) == [0, 0, 0, 0, 0, 0, 14])
    #expect(list.lines.last == "(14 records were dropped) Pantry: Visit committed as revision 21, 0 ahead")
    held.withLock { $0 = nil }
  }

  /// Another guard that holds up a report holds up only as many records as the backlog allows.
  @Test func aMissingCommitDoesNotHoldUpTheOthersForever() {
    let logger = logger(backlog: 10)
    for revision in 2...10_000 { logger.didEnd(Visit(), report: .end(UInt64(revision))) }
    #expect(list.revisions.elementsEqual(2...10_000))
    logger.didEnd(Visit(), report: .end(1))
    #expect(list.revisions.last == 1)
  }

  /// One caller does not write all the records that arrive while the sink blocks.
  @Test func aCallerWritesOnlyItsShare() async {
    let (count, end) = (9_000 as UInt64, Gate())
    let held = Locked<ActionLogger<Pantry>?>(nil)
    let caller = Locked<pthread_t?>(nil)
    let written = Locked(0)
    let sink = LogSink { record in
      if record.revision == 1, let logger = held.withLock({ $0 }) {
        for revision in 2...count { logger.didEnd(Visit(), report: .end(revision)) }
      }
      let isCaller = caller.withLock { $0 == pthread_self() }
      if isCaller { written.withLock { $0 += 1 } }
      if record.revision == count { end.open() }
    }
    let logger = ActionLogger<Pantry>(to: sink, differenceLines: 0, clock: nil)
    held.withLock { $0 = logger }
    func report() {
      caller.withLock { $0 = pthread_self() }
      logger.didEnd(Visit(), report: .end(1))
      caller.withLock { $0 = nil }
    }
    report()
    #expect(written.withLock { $0 } == 257)
    await end.wait()
    held.withLock { $0 = nil }
  }

  /// A writer that never runs out of records hands them over to a task.
  @Test func underLoadTheWriterReturns() async {
    let (end, last) = (Gate(), 10_000 as UInt64)
    let held = Locked<ActionLogger<Pantry>?>(nil)
    let tasks = Locked<Set<Int>>([])
    let sink = LogSink { record in
      let task = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
      _ = tasks.withLock { $0.insert(task) }
      guard let revision = record.revision, revision < last else { return end.open() }
      held.withLock { $0 }?.didEnd(Visit(), report: .end(revision + 1))
    }
    let logger = ActionLogger<Pantry>(to: sink, differenceLines: 0, clock: nil)
    held.withLock { $0 = logger }
    logger.didEnd(Visit(), report: .end(1))
    await end.wait()
    #expect(tasks.withLock { $0.count } > 1)
    held.withLock { $0 = nil }
  }

  @Test func realThreads() async {
    let count = 2_000 as UInt64
    let isInside = Locked(0)
    let end = Gate()
    let sink = LogSink { [list] record in
      #expect(isInside.withLockIfAvailable { _ in list.append(record) } != nil, "two records at the same time")
      if record.revision == count { end.open() }
    }
    let logger = ActionLogger<Pantry>(to: sink, differenceLines: 5, clock: nil)
    await withTaskGroup(of: Void.self) { group in
      for task in 1...8 as ClosedRange<UInt64> {
        group.addTask {
          for revision in stride(from: task, through: count, by: 8) {
            let (old, new) = (Pantry(visits: Int(revision) - 1), Pantry(visits: Int(revision)))
            logger.didEnd(Visit(), report: .end(revision, from: old, to: new))
          }
        }
      }
    }
    await end.wait()
    #expect(list.revisions.elementsEqual(1...count))
    #expect(list.all.allSatisfy { $0.difference?.contains("+   visits: \($0.revision ?? 0)") == true })
  }
}
