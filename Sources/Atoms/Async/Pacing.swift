/// The changes of an asynchronous atom's dependencies that count with a delay.
///
/// It does not call the clock, because it is accessed under the graph's lock. So a change is recorded in two steps. The
/// start of a run notes the change, and a later call adds the time.
struct Pacing: Equatable, Sendable {
  /// The paces of the dependencies whose changes count with a delay.
  private var paces: [NodeID: Pace] = [:]
  /// When the last operation began, or made its first read with a pace.
  private var begun: Duration?
  /// The changed dependencies for which a run waits, and when each change counts.
  private var dues: [NodeID: Due] = [:]
  /// The changed dependencies that have been noticed at a time that is not known yet.
  private var noticed: [NodeID] = []

  /// The pacing of a run that has just begun.
  init(begun: Duration? = nil) { self.begun = begun }

  /// Whether all changes count at once.
  var isEmpty: Bool { paces.isEmpty }

  /// The pace of a dependency, or `nil` if its changes count at once.
  subscript(read: NodeID) -> Pace? { paces[read] }

  /// Notes a read of the newest run.
  ///
  /// - Parameters:
  ///   - timed: The pace of the read, or `nil` if changes count at once.
  ///   - read: The dependency.
  ///   - isKnown: Whether the run has already read it. Then its changes count at once if those of any read do.
  mutating func note(_ timed: TimedPace?, for read: NodeID, isKnown: Bool) {
    if begun == nil { begun = timed?.time }
    if !isKnown || timed == nil || paces[read] != nil { paces[read] = timed?.pace }
  }

  // MARK: Changes

  /// Makes the next run wait until the changes of some dependencies count.
  mutating func notice(_ changed: [NodeID]) {
    for node in changed { dues[node] = nil }
    noticed += changed
  }

  /// Adds the time to the changes that have been noticed without one.
  mutating func addTime(_ now: Duration) {
    for node in noticed { dues[node] = paces[node]?.due(noticed: now, begun: begun) ?? .at(now) }
    noticed = []
  }

  /// The time at which the first of the awaited changes counts.
  var due: Due { dues.values.min() ?? .never }

  /// Whether a run waits for changes that never count.
  var waitsForever: Bool { noticed.isEmpty && !dues.isEmpty && due == .never }

  /// Forgets the changes, because the run that waits for them ends.
  mutating func endWait() { (dues, noticed) = ([:], []) }
}
