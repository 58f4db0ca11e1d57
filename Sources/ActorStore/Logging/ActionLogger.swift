/// A guard that writes one record for each call to a store.
///
/// ```swift
/// let store = Store(Shop(), guards: [ActionLogger()], name: "shop")
/// try await store.dispatch(Add(item: "tea"))
/// // shop: Add(item: "tea") committed as revision 1, ticket 1, waited 0 ns, ran 1.2 us, 0 ahead: Shop( … )
/// ```
///
/// The records of commits are in the order of their revisions. All other records follow those of the commits before the
/// end of their call. The members of a transaction directly precede their transaction. Records never mix. One caller at
/// a time writes them, and may write the records of other callers, so a record may be written after its `dispatch` has
/// returned. If another guard holds up the report of a commit for long, the records after it are written first.
///
/// A logger can be a guard of several stores. Each store has an order of its own. Loggers for different states can
/// share a ``LogSink``.
///
/// Actions, errors, and states become text with ``Dump``. To keep a secret out of the log, make its type
/// `CustomReflectable`, with a mirror that shows only what may be seen.
///
/// A difference is limited to 10,000 parts of a state, in addition to the work of its `==`. It says which parts it has not
/// compared.
///
/// A logger makes the text in the task of the action, after the turn, so it does not delay other actions. A difference
/// of states costs the most. A mutation then copies the part of the state that it changes.
public struct ActionLogger<State: Sendable>: ReportGuard {
  private let sink: LogSink
  private let filter: LogFilter
  private let differenceLines: Int
  private let store: String
  private let order: RecordOrder
  private let differences: StateDifferences<State>
  /// The clock for the times in the records.
  public let reportClock: (any Clock<Duration>)?
  /// Whether the records show the changes of the state.
  public var reportsStates: Bool { differenceLines > 0 }

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - sink: The destination of the records.
  ///   - filter: The choice of the records to write.
  ///   - differenceLines: The maximum number of lines that describe the changes of a commit. If it is zero, the records
  ///     show no changes, and the store keeps no old states for the logger.
  ///   - clock: The clock for the times in the records, or `nil` for records without times.
  public init(
    to sink: LogSink = .standardError(),
    filter: LogFilter = .all,
    differenceLines: Int = 20,
    clock: (any Clock<Duration>)? = ContinuousClock()
  ) {
    self.init(store: "\(State.self)", sink, filter, differenceLines, clock)
  }

  private init(
    store: String,
    _ sink: LogSink,
    _ filter: LogFilter,
    _ differenceLines: Int,
    _ clock: (any Clock<Duration>)?
  ) {
    self.store = store
    self.sink = sink
    self.filter = filter
    self.differenceLines = differenceLines
    reportClock = clock
    order = RecordOrder(of: sink.queue)
    differences = StateDifferences(lines: differenceLines)
  }

  /// Writes the record of an action, if it passes the filter.
  public func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    let outcome = report.outcome.kind
    let passes = filter.passes(
      A.self, label: label(of: action), outcome, waited: report.waited, ran: report.ran)
    let record = passes ? record(of: action, report, outcome) : nil
    if report.member != nil, let ticket = report.ticket {
      if let record { order.add(record, memberOf: ticket) }
    } else {
      let isCommit = outcome == .committed && report.member == nil
      order.add(record, ticket: report.ticket, at: isCommit ? .commit(report.revision) : .after(report.revision))
    }
  }

  /// Writes the record of a group, if it passes the filter.
  public func didEnd<G: Sendable>(group: G, report: GroupReport) {
    let outcome = report.outcome.kind
    guard filter.passes(G.self, label: nil, outcome, waited: nil, ran: report.ran) else { return }
    let record = LogRecord(
      store: store, label: "\(G.self)", payload: payload(of: group), outcome: outcome, reason: report.outcome.reason,
      ticket: nil, revision: nil, member: nil, queueLength: nil, waited: nil, ran: report.ran, difference: nil)
    order.add(record, ticket: nil, at: .afterAll)
  }

  private func record<A: Action<State>>(
    of action: A,
    _ report: ActionReport<State>,
    _ outcome: ReportedOutcome.Kind
  ) -> LogRecord {
    let label = label(of: action)
    return LogRecord(
      store: store, label: label ?? "\(A.self)", payload: label == nil ? payload(of: action) : nil, outcome: outcome,
      reason: report.outcome.reason, ticket: report.ticket, revision: report.revision, member: report.member,
      queueLength: report.queueLength, waited: report.waited, ran: report.ran, difference: difference(report))
  }

  private func difference(_ report: ActionReport<State>) -> String? {
    guard reportsStates, let old = report.old, let new = report.new else { return nil }
    return differences.difference(from: old, to: new) ?? "no change"
  }

  /// The label of a closure or a transaction, or `nil` for other actions.
  ///
  /// The descriptions of other actions may contain secrets.
  private func label<A: Action<State>>(of action: A) -> String? {
    let hasLabel =
      A._execution.isTransaction || A.self == ClosureMutation<State, A.Output, A.Failure>.self
      || A.self == ClosureAction<State, A.Output, A.Failure>.self
    return hasLabel ? (action as? any CustomStringConvertible)?.description : nil
  }

  private func payload<Value>(of value: Value) -> String? {
    MemoryLayout<Value>.size == 0 ? nil : Dump.line(of: value)
  }
}

extension ActionLogger: PerStoreGuard {
  package func makeGuard(for store: GuardedStore) -> any ReportGuard<State> {
    ActionLogger(store: store.name, sink, filter, differenceLines, reportClock)
  }
}

extension ReportedOutcome {
  /// The error of a failure, or the reason of a veto.
  fileprivate var reason: String? {
    switch self {
    case .failed(let error): Dump.line(of: error)
    case .vetoed(let veto): veto.description
    default: nil
    }
  }
}
