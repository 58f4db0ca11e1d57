/// A guard that writes the records of one store.
///
/// It is an object, so that forwarding a report to it looks up no types at run time.
final class LoggerGuard<State: Sendable>: ReportGuard, DeliveringGuard {
  private let store: StoreName
  private let order: RecordOrder

  init(store: StoreName, _ settings: LoggerSettings) {
    self.store = store
    order = RecordOrder(settings)
  }

  private var settings: LoggerSettings { order.settings }

  var reportClock: (any Clock<Duration>)? { settings.clock }
  var reportsStates: Bool { settings.differenceLimits != nil || settings.treeLimits != nil }

  func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    let outcome = report.outcome.kind
    let label = action._label
    // The getter of the report's ticket would look up the type of the report.
    let number = report.number
    let ticket = number == .none ? nil : number.number
    let isCommit = outcome == .committed && report.member == nil
    let place = isCommit ? RecordOrder.Place.commit(report.revision) : .after(report.revision)
    let text = label?.description
    guard settings.filter.passes(A.self, label: text, outcome, waited: report.waited, ran: report.ran) else {
      if report.member == nil || ticket == nil { order.addNothing(ticket: ticket, at: place) }
      return
    }
    let record = LogRecord(
      store: store.text, label: text ?? "\(A.self)", payload: label == nil ? payload(of: action) : nil,
      outcome: outcome, reason: reason(of: report.outcome), ticket: ticket, revision: report.revision,
      member: report.member, queueLength: report.queueLength, waited: report.waited, ran: report.ran,
      difference: report.states.flatMap(difference), state: report.states.flatMap(tree))
    if report.member != nil, let ticket {
      order.add(record, memberOf: ticket)
    } else {
      order.add(record, ticket: ticket, at: place)
    }
  }

  func didEnd<G: Sendable>(group: G, report: GroupReport) {
    let outcome = report.outcome.kind
    guard settings.filter.passes(G.self, label: nil, outcome, waited: nil, ran: report.ran) else { return }
    let record = LogRecord(
      store: store.text, label: "\(G.self)", payload: payload(of: group), outcome: outcome,
      reason: reason(of: report.outcome), ticket: nil, revision: nil, member: nil, queueLength: nil, waited: nil,
      ran: report.ran, difference: nil,
      state: nil)
    order.add(record, ticket: nil, at: .afterAll)
  }

  // MARK: The end

  var hasDelivered: Bool { settings.queue.isIdle }

  func waitUntilDelivered() async { await settings.queue.waitUntilWritten() }

  // MARK: Texts

  private func payload(of value: Any) -> String? {
    if !settings.showsPayloads { return LoggedText.of(value) }
    return Mirror(reflecting: value).children.isEmpty ? nil : Dump.line(of: value)
  }

  /// The error of a failure, or the reason of a veto.
  private func reason(of outcome: ReportedOutcome) -> String? {
    switch outcome {
    case .failed(let error) where settings.showsPayloads: Dump.line(of: error)
    case .failed(let error): LoggedText.of(error) ?? "\(type(of: error))"
    case .vetoed(let veto): veto.description
    default: nil
    }
  }

  private func difference(_ states: ReportedStates<State>) -> String? {
    settings.differenceLimits.map { Dump.difference(from: states.old, to: states.new, limits: $0) ?? "no change" }
  }

  private func tree(_ states: ReportedStates<State>) -> String? {
    settings.treeLimits.map { Dump.text(of: states.new, style: .outline, limits: $0) }
  }
}

/// The settings that the guards of one logger share.
final class LoggerSettings: Sendable {
  let queue: RecordQueue
  let filter: LogFilter
  let showsPayloads: Bool
  /// The limits of a difference, or `nil` to show none.
  let differenceLimits: Dump.Limits?
  /// The limits of a whole state, or `nil` to show none.
  let treeLimits: Dump.Limits?
  let clock: (any Clock<Duration>)?

  init(
    queue: RecordQueue, filter: LogFilter, showsPayloads: Bool, differenceLines: Int, treeLines: Int,
    clock: (any Clock<Duration>)?
  ) {
    self.queue = queue
    self.filter = filter
    self.showsPayloads = showsPayloads
    differenceLimits =
      differenceLines > 0
      ? Dump.Limits(lines: differenceLines, elements: 20, characters: 200, depth: 8, parts: 10_000) : nil
    treeLimits =
      treeLines > 0 ? Dump.Limits(lines: treeLines, characters: 200, depth: 16, parts: 10_000) : nil
    self.clock = clock
  }
}
