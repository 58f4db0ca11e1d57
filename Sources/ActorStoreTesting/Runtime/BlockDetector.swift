/// Decides from samples of the running thread whether it is blocked.
///
/// The thread is blocked if it sleeps in all of several samples and has not woken in between. A thread that only waits
/// for a processor does not sleep.
struct BlockDetector {
  /// A sample of the thread that runs a simulation.
  struct Sample: Equatable {
    let thread: Int
    /// How often the thread has gone to sleep, or -1 if it does not sleep.
    let sleeps: Int
  }

  /// The number of equal samples that show a block.
  static let limit = 100
  /// The number of equal samples that show a block that is likely.
  static let shortLimit = 5
  /// The time between two samples, in milliseconds.
  static let interval = 10
  private var last: Sample?
  private var count = 0

  /// Adds a sample, and returns whether the thread is blocked.
  ///
  /// - Parameters:
  ///   - sample: The sample.
  ///   - isLikely: Whether a stopped thread may well hold a lock, and a wrong result only loses a schedule.
  mutating func add(_ sample: Sample, isLikely: Bool = false) -> Bool {
    count = sample == last && sample.sleeps >= 0 ? count + 1 : 0
    last = sample
    return count >= (isLikely ? Self.shortLimit : Self.limit)
  }
}
