/// The groups of a store with guards.
extension Store {
  /// A group that has begun.
  ///
  /// It is an object, so that a store without guards pays for one word.
  @usableFromInline final class GuardedGroup: Sendable {
    fileprivate let isSent: Bool
    /// The time at which the group began, if a guard requests times.
    fileprivate let begun: Duration?
    /// Tells a witness that the group is about to end.
    fileprivate let tellWitness: (@Sendable ((any Error)?) -> Void)?

    fileprivate init(isSent: Bool, begun: Duration?, tellWitness: (@Sendable ((any Error)?) -> Void)?) {
      self.isSent = isSent
      self.begun = begun
      self.tellWitness = tellWitness
    }
  }

  @usableFromInline
  @inline(never)  // HP2
  nonisolated func begin<G: Sendable>(_ group: G, isSent: Bool) -> GuardedGroup {
    GuardedGroup(
      isSent: isSent, begun: guards?.now(), tellWitness: guards?.didBegin(group, isSent: isSent))
  }

  /// Reports a group that has run.
  @usableFromInline
  @inline(never)  // HP2
  nonisolated func ended<G: Sendable>(_ group: G, _ call: GuardedGroup, _ error: (any Error)?) {
    call.tellWitness?(error)
    var ran: Duration?
    if let begun = call.begun, let now = guards?.now() { ran = now - begun }
    report(group, GroupReport(outcome: error.map { .failed($0) } ?? .committed, isSent: call.isSent, ran: ran))
  }

  /// Reports a group that has not run, and returns its outcome.
  @usableFromInline
  @inline(never)  // HP2
  nonisolated func ended<G: Sendable, Output>(
    _ group: G,
    isSent: Bool = false,
    as outcome: Outcome<Output>
  ) -> Outcome<Output> {
    if guards != nil { report(group, GroupReport(outcome: ReportedOutcome(outcome), isSent: isSent, ran: nil)) }
    return outcome
  }

  private nonisolated func report<G: Sendable>(_ group: G, _ report: GroupReport) {
    guard let guards, guards.hasListeners else { return }
    if queue.isSimulated { queue.pointBeforeReport() }
    guards.report(group: group, report)
  }
}
