/// A guard that writes the records of one store.
///
/// It is an object, so that forwarding a report to it looks up no types at run time.
final class LoggerGuard<State: Sendable>: ReportGuard {
  private let store: String
  private let filter: LogFilter
  private let order: RecordOrder
  private let types = LoggedTypes()
  private let differences: StateDifferences?
  private let trees: StateTrees?
  let reportClock: (any Clock<Duration>)?

  init(store: String, _ settings: LoggerSettings) {
    self.store = store
    filter = settings.filter
    order = RecordOrder(of: settings.sink.queue)
    differences = settings.differenceLines > 0 ? StateDifferences(lines: settings.differenceLines) : nil
    trees = settings.treeLines > 0 ? StateTrees(lines: settings.treeLines) : nil
    reportClock = settings.clock
  }

  var reportsStates: Bool { differences != nil || trees != nil }

  func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    let outcome = report.outcome.kind
    let label = action._label
    // The getter of the report's ticket would look up the type of the report.
    let number = report.number
    let ticket = number == .none ? nil : number.number
    let isCommit = outcome == .committed && report.member == nil
    let place = isCommit ? RecordOrder.Place.commit(report.revision) : .after(report.revision)
    guard filter.passes(A.self, label: label?.description, outcome, waited: report.waited, ran: report.ran) else {
      if report.member == nil || ticket == nil { order.addNothing(ticket: ticket, at: place) }
      return
    }
    // The descriptions of actions may contain secrets. Only those of closures and transactions are labels.
    let texts = label.map { (name: $0.description, payload: nil) } ?? types.texts(of: action)
    let record = LogRecord(
      store: store, label: texts.name, payload: texts.payload, outcome: outcome, reason: report.outcome.reason,
      ticket: ticket, revision: report.revision, member: report.member, queueLength: report.queueLength,
      waited: report.waited, ran: report.ran, difference: differences?.difference(of: report.states),
      state: trees?.text(of: report.states))
    if report.member != nil, let ticket {
      order.add(record, memberOf: ticket)
    } else {
      order.add(record, ticket: ticket, at: place)
    }
  }

  func didEnd<G: Sendable>(group: G, report: GroupReport) {
    let outcome = report.outcome.kind
    guard filter.passes(G.self, label: nil, outcome, waited: nil, ran: report.ran) else { return }
    let texts = types.texts(of: group)
    let record = LogRecord(
      store: store, label: texts.name, payload: texts.payload, outcome: outcome, reason: report.outcome.reason,
      ticket: nil, revision: nil, member: nil, queueLength: nil, waited: nil, ran: report.ran, difference: nil,
      state: nil)
    order.add(record, ticket: nil, at: .afterAll)
  }
}

/// The settings that the guards of one logger share.
struct LoggerSettings: Sendable {
  let sink: LogSink
  let filter: LogFilter
  let differenceLines: Int
  let treeLines: Int
  let clock: (any Clock<Duration>)?
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
