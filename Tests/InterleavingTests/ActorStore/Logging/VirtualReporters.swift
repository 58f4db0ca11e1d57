import ActorStoreTesting

@testable import ActorStore

/// Several callers that report to one logger, and write its records, without threads.
///
/// The number of a record is ten times its revision. Records that are not commits have larger numbers.
struct VirtualReporters: VirtualThreads {
  enum Report: Hashable {
    case commit(UInt64, ticket: UInt64? = nil)
    /// A commit that the filter excludes.
    case filtered(UInt64)
    case after(UInt64)
    case member(Int, of: UInt64)
  }

  struct Caller: Hashable {
    var reports: [Report]
    /// Whether the caller must take records and write them.
    var isWriter = false
    /// The record that it has taken, but not written.
    var taken: RecordQueueStateMachine<Int>.Entry?
  }

  private var order: RecordOrderStateMachine<Int>
  private var queue: RecordQueueStateMachine<Int>
  private var callers: [Caller]
  private let expected: Int
  private let keepsOrder: Bool
  private var written: [Int] = []
  private var lost = 0

  /// - Parameter gap: The number of commits and records that may wait for a gap.
  init(_ callers: [[Report]], gap: Int = 100, backlog: Int = 100) {
    order = RecordOrderStateMachine(limit: gap)
    queue = RecordQueueStateMachine(limit: backlog)
    self.callers = callers.map { Caller(reports: $0) }
    expected = callers.joined().count { if case .filtered = $0 { false } else { true } }
    keepsOrder = gap == 100
  }

  /// The numbers of the callers that can take a step.
  var moves: [Int] { callers.indices.filter { callers[$0].isWriter || !callers[$0].reports.isEmpty } }
  var isFinished: Bool { moves.isEmpty }

  mutating func take(_ move: Int) {
    if !callers[move].isWriter {
      if let entry = report(callers[move].reports.removeFirst()) {
        callers[move].isWriter = true
        callers[move].taken = entry
      }
    } else if let entry = callers[move].taken.take() {
      lost += entry.dropped
      written.append(entry.record)
    } else if let entry = queue.take() {
      callers[move].taken = entry
    } else {
      callers[move].isWriter = false
    }
  }

  private mutating func report(_ report: Report) -> RecordQueueStateMachine<Int>.Entry? {
    var first: RecordQueueStateMachine<Int>.Entry?
    var queue = queue
    defer { self.queue = queue }
    let release = { (record: Int) in
      if let dropped = queue.add(record) { first = RecordQueueStateMachine.Entry(record: record, dropped: dropped) }
    }
    switch report {
    case .commit(let revision, let ticket):
      order.add(Int(revision) * 10, ticket: ticket, at: .commit(revision), release)
    case .filtered(let revision): order.add(nil, ticket: nil, at: .commit(revision), release)
    case .after(let revision): order.add(Int(revision) * 10 + 5, ticket: nil, at: .after(revision), release)
    case .member(let number, let ticket): if !order.add(number, memberOf: ticket) { queue.drop() }
    }
    return first
  }

  var violation: String? {
    if callers.count(where: \.isWriter) > 1 { return "two callers write" }
    if keepsOrder {
      let commits = written.filter { $0 % 10 == 0 }
      if commits != commits.sorted() { return "commits are out of order: \(written)" }
      if let problem = misplaced { return problem }
    }
    if isFinished, written.count + lost + queue.dropped != expected { return "records are missing: \(written)" }
    return nil
  }

  private var misplaced: String? {
    for (index, number) in written.enumerated() {
      switch number % 10 {
      case 5:
        let isEarly = written[index...].contains { $0 % 10 == 0 && $0 < number }
        if isEarly { return "a record precedes an earlier commit: \(written)" }
      case 1, 2:
        // The members of the transaction with revision 1 are 11 and 12.
        let next = number % 10 == 1 ? number + 1 : number / 10 * 10
        if index + 1 < written.count, written[index + 1] != next { return "a member is misplaced: \(written)" }
      default: break
      }
    }
    return nil
  }
}
