import ActorStore

/// The virtual time of a simulation.
extension SimulatedExecutor {
  /// The virtual time of the run, or zero on another thread.
  var time: Duration {
    guard isHere else { return .zero }
    touchTime(isWrite: false)
    return now
  }

  /// Suspends until time advances to this deadline.
  ///
  /// If the deadline has passed, lets another task run, if one can.
  func sleep(until deadline: Duration) async throws {
    guard isRunningHere else {
      if !blockage.isFound { wasReached() }
      throw CancellationError()
    }
    try Task.checkCancellation()
    touchTime(isWrite: false)
    if deadline <= now {
      await hooks?.pause(before: .ownCode)
      return
    }
    let timer = TimerSlot()
    let kind = SimulationHooks.sleep
    let background = kind == .background ? SwiftRuntime.currentTaskID : nil
    try await withTaskCancellationHandler {
      try await park { (sleeper: Sleeper) in
        if Task.isCancelled {
          sleeper.resume(returning: .failure(CancellationError()))
        } else {
          timer.id = timers.add(
            sleeper, until: deadline, task: runningNumber, canBeEarly: kind == .ordinary, background: background)
          findSleepers()
        }
      }.get()
    } onCancel: {
      if blockage.isFound { return }
      guard isHere else { return wasReached() }
      guard let id = timer.id, let sleeper = timers.remove(id) else { return }
      findSleepers()
      sleeper.resume(returning: .failure(CancellationError()))
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
    // If timers can fire early, a step after the advance of the time can also come before it.
    if earlyTimersLeft == 0 { ready.isAfterBarrier = true } else { advancers += timers.earlyTasks }
    recording?.time(isNow: now)
    for sleeper in timers.removeAll(until: now) { sleeper.resume(returning: .success(())) }
    findSleepers()
    return true
  }

  // MARK: Early timers

  /// Tells the schedule which tasks may wake before all others have to wait.
  func findSleepers() {
    let tasks = earlyTimersLeft > 0 && !bodyHasEnded ? timers.earlyTasks : []
    if tasks != ready.sleepers { ready.sleepers = tasks }
  }

  /// Advances the time to the deadline of a task, and runs the next step of this task.
  func wakeEarly(_ index: Int) {
    earlyTimersLeft -= 1
    if needsAccesses { advancers.append(ready.running) }
    guard let (deadline, first, others) = timers.fireEarly(index) else {
      preconditionFailure("ActorStoreTesting: a timer has gone. This is a bug in ActorStoreTesting.")
    }
    now = max(now, deadline)
    findSleepers()
    recording?.time(isNow: now, isEarly: true)
    for sleeper in others { sleeper.resume(returning: .success(())) }
    runAddition { first.resume(returning: .success(())) }
  }

  /// Records an access to the time.
  func touchTime(isWrite: Bool) {
    if needsAccesses { touched(ObjectIdentifier(SimulationClock.self), isWrite: isWrite, isHeld: false) }
  }
}
