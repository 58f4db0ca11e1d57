@testable import ActorStore

/// The state of the logged stores.
struct Pantry: Sendable {
  var items: [String] = []
  var visits = 0
}

struct Stock: Mutation {
  let item: String

  func run(_ pantry: inout Pantry) { pantry.items.append(item) }
}

struct Visit: Mutation {
  func run(_ pantry: inout Pantry) { pantry.visits += 1 }
}

struct Spoiled: Error {
  let item: String
}

/// A sink that keeps the records.
final class RecordList: Sendable {
  private let records = Locked<[LogRecord]>([])

  var all: [LogRecord] { records.withLock { $0 } }
  var lines: [String] { all.map(\.description) }
  var revisions: [UInt64] { all.compactMap(\.revision) }

  func append(_ record: LogRecord) { records.withLock { $0.append(record) } }
}

extension ActionReport {
  /// The report of a commit, or of another end.
  static func end(
    _ revision: UInt64,
    _ outcome: ReportedOutcome = .committed,
    ticket: UInt64? = nil,
    member: Int? = nil,
    waited: Duration? = nil,
    ran: Duration? = nil,
    from old: State? = nil,
    to new: State? = nil
  ) -> ActionReport {
    var states: ReportedStates<State>?
    if let old, let new { states = ReportedStates(old: old, new: new) }
    return ActionReport(
      outcome: outcome, ticket: ticket, revision: revision, member: member, waited: waited, ran: ran, states: states)
  }
}
