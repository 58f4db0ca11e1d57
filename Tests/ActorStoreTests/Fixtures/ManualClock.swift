@testable import ActorStore

/// A clock that a test moves, and on which nothing sleeps.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let time = Locked(Instant())

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func advance(by duration: Duration) {
    time.withLock { $0 = $0.advanced(by: duration) }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    preconditionFailure("A task slept on a ManualClock, which never wakes it. Use the clock only to read times.")
  }
}
