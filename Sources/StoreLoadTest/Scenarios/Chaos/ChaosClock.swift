import ActorStore

/// A clock whose time only changes when the program advances it.
final class ChaosClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct State: Sendable {
    var now = Instant()
    var last = 0
    var sleepers: [Int: (end: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Locked(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // A cancellation before this point is in the flag of the task. A later one finds the sleeper.
        let isOver = state.withLock { state in
          if state.now >= deadline { return true }
          state.sleepers[number] = (deadline, continuation)
          return false
        }
        if isOver { continuation.resume() } else if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.sleepers.removeValue(forKey: number)?.continuation }?.resume(throwing: CancellationError())
  }

  func advance(by time: Duration) {
    let ready = state.withLock { state in
      state.now.offset += time
      let ready = state.sleepers.filter { $0.value.end <= state.now }
      for number in ready.keys { state.sleepers[number] = nil }
      return ready.values.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }
}
