/// Ensures that the failure of a sent or deferred action is not lost, as the shell around `FailureCustodyStateMachine`.
@usableFromInline final class FailureCustody: Sendable {
  private let stateMachine: Locked<FailureCustodyStateMachine>
  private let report: @Sendable (any Error) -> Void

  init(hasTicket: Bool, report: @escaping @Sendable (any Error) -> Void) {
    stateMachine = Locked(FailureCustodyStateMachine(hasTicket: hasTicket))
    self.report = report
  }

  @usableFromInline
  func failed(_ error: any Error) {
    if let error = stateMachine.withLock({ $0.failed(error) }) { report(error) }
  }

  /// Records the outcome of an action that did not throw.
  @usableFromInline
  func ended<Output>(with outcome: Outcome<Output>) {
    if let reason = outcome.reason { failed(reason) }
  }

  func canceled() {
    stateMachine.withLock { $0.canceled() }
  }

  func awaited() {
    _ = stateMachine.withLock { $0.awaited() }
  }

  @usableFromInline
  func dropped() {
    if let error = stateMachine.withLock({ $0.dropped() }) { report(error) }
  }
}
