/// The points and the alternatives of a run that a search can do without.
struct OptionalPoints: Equatable, Sendable {
  /// Whether a task yields to the others after it has yielded twice in a row.
  var hasFairYields = false
  /// Whether another task can run between the check for cancellation and the action, and a new task can overtake its
  /// creator by more than one step.
  ///
  /// If no task is ever canceled, no other task has to run there.
  var includeCancellations = true
  /// Whether another task can run where the running one may hold a lock: after it creates an unstructured task, and
  /// after it cancels a ticket.
  var includeUnsafe = true
  /// The number of timers that may fire in a run while other tasks are ready.
  var earlyTimers = 1

  static let all = OptionalPoints()
  /// The points of a run that finds out what the runtime can do.
  static let ofProbe = OptionalPoints(includeUnsafe: false, earlyTimers: 0)
}
