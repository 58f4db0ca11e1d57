import ActorStore

/// Which first steps of new tasks a search runs inside the jobs of their creators.
///
/// In many schedules of a search, a new task runs up to its first point while its creator is in the middle of a
/// synchronous call. To stop the creator's thread for that takes longer than the rest of the schedule. So the new task
/// runs on the same thread, inside the creator's job. The decisions are the same.
///
/// The creator may hold a lock that the new task needs. On a thread of its own, the new task would be found blocked. And
/// the first point of the new task may be in synchronous code, where only a thread of its own could stop. So each
/// creation is first tried on two threads.
final class NestedSteps: Sendable {
  private struct State {
    /// Whether the creations, by their number in a run, can be nested.
    var tried: [Int: Bool] = [:]
  }

  private let state = Locked(State())

  /// Whether the step after a creation can run inside the creator's job.
  ///
  /// The first call for a creation returns `false`.
  func allows(_ creation: Int) -> Bool {
    state.withLock { state in
      if let canBeNested = state.tried[creation] { return canBeNested }
      state.tried[creation] = true
      return false
    }
  }

  /// Notes that the step after a creation had to stop in the middle of synchronous code.
  func refuse(_ creation: Int) {
    state.withLock { $0.tried[creation] = false }
  }
}
