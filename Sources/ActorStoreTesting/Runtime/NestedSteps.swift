import ActorStore

/// Which first steps of new tasks a search runs inside the jobs of their creators.
///
/// In many schedules of a search, a new task runs up to its first point while its creator is in the middle of a
/// synchronous call. Stopping the creator's thread for that takes longer than the rest of the schedule. So the new task
/// runs on the same thread, inside the creator's job. The decisions are the same.
///
/// Each creation is first tried on two threads, for two reasons. If the new task needs a lock that its creator holds, it
/// would wait forever on the creator's thread, but is found blocked on its own. If the first point of the new task is in
/// synchronous code, the new task can stop there only on its own thread.
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
