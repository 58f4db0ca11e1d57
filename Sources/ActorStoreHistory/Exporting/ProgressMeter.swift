/// Reports the progress of a long operation at most 101 times, and ends the operation if its task is canceled.
struct ProgressMeter {
  private let total: Int
  private let report: (@Sendable (Double) -> Void)?
  private var done = 0
  private var next = 0

  init(total: Int, report: (@Sendable (Double) -> Void)?) {
    (self.total, self.report) = (total, report)
    if total == 0 { report?(1) }
  }

  /// Counts a finished part of the operation.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  mutating func advance() throws {
    try Task.checkCancellation()
    done += 1
    guard let report, done >= next || done == total else { return }
    // The total in a damaged file can be any number, so adding to it can overflow.
    next = done + max(1, total / 100 + (total % 100 == 0 ? 0 : 1))
    report(Double(done) / Double(total))
  }
}
