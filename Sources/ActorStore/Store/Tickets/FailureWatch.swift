/// Sees to it that an error of one sent or deferred action reaches somebody: the shell around `FailureCustody`.
@usableFromInline final class FailureWatch: Sendable {
  private let custody: Locked<FailureCustody>
  private let report: @Sendable (any Error) -> Void

  init(hasTicket: Bool, report: @escaping @Sendable (any Error) -> Void) {
    custody = Locked(FailureCustody(hasTicket: hasTicket))
    self.report = report
  }

  @usableFromInline
  func failed(_ error: any Error) {
    if let error = custody.withLock({ $0.failed(error) }) { report(error) }
  }

  func awaited() {
    _ = custody.withLock { $0.awaited() }
  }

  @usableFromInline
  func dropped() {
    if let error = custody.withLock({ $0.dropped() }) { report(error) }
  }
}
