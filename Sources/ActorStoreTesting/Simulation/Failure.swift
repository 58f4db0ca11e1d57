extension Simulation {
  /// A schedule under which the body failed, with a report as its ``description``.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// How the run ended.
    ///
    /// If the body threw, it is ``Verdict/finished``, unless other tasks escape or reach the step limit.
    public let verdict: Verdict
    /// The error of the run, or `nil` if there is none, as in a deadlock.
    ///
    /// It is one of the following:
    ///
    /// - The error that the body threw.
    /// - A ``TestStoreFailure`` with all failures of test stores and expectations, whether the body threw it or not.
    /// - ``NotReproducible`` or ``ScheduleDoesNotFit``.
    public let error: (any Error)?
    /// The strategy that found the failure.
    ///
    /// If it has a seed and the failure is reproducible, its first schedule finds the failure again.
    public let strategy: Strategy
    /// The number of schedules that ran, including the failed one.
    public let schedulesRun: Int
    /// The simplest schedule found that fails in the same way.
    public let schedule: Schedule
    /// A report with the error, the call that replays it, what each task of a deadlock waits for, and the steps of each
    /// task.
    public let description: String
  }

  /// An error that reports two different runs of the same schedule.
  ///
  /// The report of the failure shows the first line in which two runs differ.
  public struct NotReproducible: Error, Sendable, CustomStringConvertible {
    /// The error of the first run, or `nil` if there was none.
    public let original: (any Error)?

    init(after original: (any Error)?) {
      self.original = original
    }

    /// The possible causes.
    public var description: String {
      """
      \(original.map { "\($0). But " } ?? "")the same schedule produced two different runs. The body depends on \
      something besides the schedule: state kept between runs, real time, an unseeded random number, another thread, \
      or the order of a Set or Dictionary (which SWIFT_DETERMINISTIC_HASHING=1 fixes).
      """
    }
  }

  /// An error that reports a replayed schedule with choices that the body does not offer.
  public struct ScheduleDoesNotFit: Error, Hashable, Sendable, CustomStringConvertible {
    /// The possible causes and a remedy.
    public var description: String {
      """
      the schedule does not fit this body. A schedule is valid for one body, one toolchain, and one configuration \
      (debug or release). Explore again to get a valid schedule.
      """
    }
  }

  /// The error that ``Simulation/expect(_:_:fileID:line:)`` throws.
  public struct ExpectationFailed: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message of the expectation.
    public let message: String
    /// The file and line of the call.
    public let location: String

    /// The message and the location.
    public var description: String { "\(message.isEmpty ? "an expectation failed" : message) (\(location))" }
  }
}
