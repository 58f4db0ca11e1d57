/// A report, as far as metrics count it.
struct ActionSample: Sendable {
  let outcome: ReportedOutcome.Kind
  /// In nanoseconds.
  let waited: UInt64?
  /// In nanoseconds.
  let ran: UInt64?

  init(_ outcome: ReportedOutcome.Kind, isMember: Bool = false, waited: Duration?, ran: Duration?) {
    self.outcome = outcome
    // A transaction's wait would be counted again with each member, and a deferred call's times with its second report.
    self.waited = isMember || outcome == .deferred ? nil : waited?.roundedNanoseconds
    self.ran = outcome == .deferred ? nil : ran?.roundedNanoseconds
  }
}

/// The reports of the actions with one name.
struct ActionCounts: Hashable, Sendable {
  private var outcomes = [UInt64](repeating: 0, count: ReportedOutcome.Kind.allCases.count)
  private(set) var waited = Histogram()
  private(set) var ran = Histogram()

  mutating func add(_ sample: ActionSample) {
    outcomes[sample.outcome.index] &+= 1
    if let time = sample.waited { waited.add(time) }
    if let time = sample.ran { ran.add(time) }
  }

  mutating func merge(_ other: ActionCounts) {
    for index in outcomes.indices { outcomes[index] = addSaturating(outcomes[index], other.outcomes[index]) }
    waited.merge(other.waited)
    ran.merge(other.ran)
  }

  func count(of outcome: ReportedOutcome.Kind) -> UInt64 { outcomes[outcome.index] }
}

extension ReportedOutcome.Kind {
  /// The position in `allCases`.
  fileprivate var index: Int {
    switch self {
    case .committed: 0
    case .failed: 1
    case .vetoed: 2
    case .cancelled: 3
    case .deferred: 4
    case .givenUp: 5
    case .closed: 6
    case .undone: 7
    }
  }
}
