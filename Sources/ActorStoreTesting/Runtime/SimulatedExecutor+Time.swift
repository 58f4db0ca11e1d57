import ActorStore

/// The virtual time of a simulation.
extension SimulatedExecutor {
  /// The virtual time of the run, or zero on another thread.
  var time: Duration { isHere ? now : .zero }

  /// Suspends until nothing else can run and this deadline is the earliest.
  ///
  /// If the deadline has passed, lets another task run, if one can.
  func sleep(until deadline: Duration) async throws {
    guard isRunningHere else {
      if !blockage.isFound { wasReached() }
      throw CancellationError()
    }
    try Task.checkCancellation()
    if deadline <= now {
      await hooks?.pause()
      return
    }
    let timer = TimerSlot()
    let background = SimulationHooks.isInBackground ? SwiftRuntime.currentTaskID : nil
    try await withTaskCancellationHandler {
      try await park { (sleeper: Sleeper) in
        if Task.isCancelled {
          sleeper.resume(returning: .failure(CancellationError()))
        } else {
          timer.id = timers.add(sleeper, until: deadline, background: background)
        }
      }.get()
    } onCancel: {
      if blockage.isFound { return }
      guard isHere else { return wasReached() }
      guard let id = timer.id else { return }
      timers.remove(id)?.resume(returning: .failure(CancellationError()))
    }
  }

  /// The timer of one sleep, which only the running thread accesses.
  private final class TimerSlot: @unchecked Sendable {
    var id: TimerQueue<Sleeper>.ID?
  }

  /// Advances the time to the earliest deadline, and makes all tasks that are due then ready.
  ///
  /// The schedule decides which of them runs first. Returns `false` if no task sleeps, apart from background tasks that
  /// have already woken several times without any other task having run.
  func wakeSleepers() -> Bool {
    guard let next = timers.next else { return false }
    // A background task that did not advance the time may have an earlier deadline.
    now = max(now, next)
    ready.isAfterBarrier = true
    recording?.time(isNow: now)
    for sleeper in timers.removeAll(until: now) { sleeper.resume(returning: .success(())) }
    return true
  }
}
