/// The points and alternatives that a search can leave out.
struct OptionalPoints: Equatable, Sendable {
  /// Whether a task that yields twice in a row waits until the other ready tasks have run.
  var hasFairYields = false
  /// Whether another task can run between the check for cancellation and the action, and whether a new task can run
  /// more than one step before its creator continues.
  ///
  /// Both matter only if some task is canceled.
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
