/// Ensures that the error of a sent or deferred action is not lost, as the shell around `FailureCustodyStateMachine`.
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

  func awaited() {
    _ = stateMachine.withLock { $0.awaited() }
  }

  @usableFromInline
  func dropped() {
    if let error = stateMachine.withLock({ $0.dropped() }) { report(error) }
  }
}
