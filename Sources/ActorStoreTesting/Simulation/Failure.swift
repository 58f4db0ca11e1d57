extension Simulation {
  /// A schedule under which the body went wrong, with a report for people: its ``description``.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// How the run ended; ``Verdict/finished`` when the body threw.
    public let verdict: Verdict
    /// What the body threw, a ``TestStoreFailure`` with all that test stores and expectations found wrong, whether it
    /// was thrown or not, ``NotReproducible`` or ``ScheduleDoesNotFit``.
    public let error: (any Error)?
    /// What found it: of strategies with a seed, one whose first schedule finds it again.
    public let strategy: Strategy
    /// How many schedules had been run then, this one included.
    public let schedulesRun: Int
    /// The simplest schedule that was found to fail in the same way.
    public let schedule: Schedule
    /// What went wrong, how to run it again, who waits for whom, and what each task did.
    public let description: String
  }

  /// The same schedule made two different runs.
  public struct NotReproducible: Error, Sendable, CustomStringConvertible {
    /// What the first run threw, if it did.
    public let original: (any Error)?

    init(after original: (any Error)?) {
      self.original = original
    }

    /// What that comes from and how to mend it.
    public var description: String {
      """
      \(original.map { "\($0). But " } ?? "")the same schedule made two different runs. The body depends on something \
      besides the schedule: state that is kept from run to run, real time, a random number without a seed, another \
      thread, or the order of a Set or Dictionary (which SWIFT_DETERMINISTIC_HASHING=1 fixes).
      """
    }
  }

  /// A schedule to be replayed made choices that this body does not have.
  public struct ScheduleDoesNotFit: Error, Hashable, Sendable, CustomStringConvertible {
    /// What that comes from and how to mend it.
    public var description: String {
      """
      the schedule does not fit this body. A schedule is valid for one body, one toolchain and one configuration (debug \
      or release): explore again to get one that is.
      """
    }
  }

  /// What ``Simulation/expect(_:_:fileID:line:)`` throws.
  public struct ExpectationFailed: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected.
    public let message: String
    /// Where.
    public let location: String

    /// What was expected and where.
    public var description: String { "\(message.isEmpty ? "an expectation failed" : message) (\(location))" }
  }
}
