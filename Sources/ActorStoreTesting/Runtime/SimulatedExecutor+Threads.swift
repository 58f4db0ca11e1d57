import ActorStore

/// The threads of a simulation.
///
/// A synchronous call cannot suspend its task. To let another task run in the middle of it, the simulation stops the
/// thread and passes the baton to another thread, which runs the next steps. A stopped thread is an entry among the
/// ready jobs. When the schedule chooses it, it gets the baton back and continues its job.
extension SimulatedExecutor {
  /// Runs all steps, and returns how the run ended.
  func drain() -> Simulation.Verdict {
    if !work(on: ownerThread), !blockage.isFound { wait(ownerThread) }
    if blockage.isFound {
      blockage.waitForOthers()
      return verdict ?? .blocked
    }
    guard let verdict else {
      preconditionFailure("ActorStoreTesting: a run ended without a verdict. This is a bug in ActorStoreTesting.")
    }
    return verdict
  }

  /// Runs steps on the current thread until the run is over, or until a stopped thread continues.
  ///
  /// When the run is over, the stopped threads first finish their jobs, one after another, so that they are free again.
  ///
  /// - Returns: Whether the run is over, and all threads are free.
  private func work(on thread: SimulatedThread) -> Bool {
    while true {
      if blockage.isFound { return leaveBlockedRun(thread) }
      switch nextEntry() {
      case nil: return true
      case .stopped(let other):
        leave(thread)
        passBaton(to: other)
        return false
      case let entry?: runStep(entry)
      }
    }
  }

  /// Takes the entry of the next step, or after the end of the run, the next stopped thread.
  private func nextEntry() -> Entry? {
    if !wasReachedByAnotherThread, let entry = ready.nextIfOpen() { return entry }
    if verdict == nil { verdict = findVerdict() }
    if verdict == nil { return ready.next() }
    ready.isClosed = true
    return ready.takeFirst(where: \.isStopped)
  }

  /// Makes a thread that runs no job available to other simulations, before it passes the baton.
  private func leave(_ thread: SimulatedThread) {
    if thread === ownerThread { return }
    blockage.left()
    thread.becomeIdle()
  }

  /// Continues the run on a thread that was idle.
  func continueHere(on thread: SimulatedThread) {
    (SwiftRuntime.current, SimulationHooks.ofThread) = (self, hooks)
    defer { (SwiftRuntime.current, SimulationHooks.ofThread) = (nil, nil) }
    if !work(on: thread) { return }
    leave(thread)
    passBaton(to: ownerThread)
  }

  /// Lets another thread run.
  ///
  /// After the call, this thread must not touch the simulation until it gets the baton back.
  func passBaton(to thread: SimulatedThread) {
    active = thread
    blockage.watch(thread)
    thread.wake()
  }

  /// Lets another task run, if one can, before the body accesses memory that the library does not track.
  func pointOfUser() {
    point()
    hooks?.touchUntracked()
  }

  /// Lets another task run now, if one can, and skips the running task's next point.
  func pointBeforeRecordedCall() {
    pointOfUser()
    if isRunningHere { ready.skipsNextPoint = true }
  }

  /// Begins a part of the running job that has no points, or ends it.
  func nestPointless(_ change: Int) {
    if isRunningHere { pointlessDepth += change }
  }

  /// Lets another task run, if one can, in the middle of synchronous code.
  ///
  /// Does nothing outside of this simulation.
  ///
  /// - Parameter mustYield: Whether another task must run, because the current one waits for it.
  func point(mustYield: Bool = false) {
    guard isRunningHere, pointlessDepth == 0, !ready.skipsPoint() else { return }
    if ready.isOver { return pointAfterEnd(mustYield: mustYield) }
    if ready.isEmpty { return }
    let held = accesses?.held ?? []
    // In the next step, synchronous code can still access the objects that it has accessed in this one.
    defer { touchAgain(held) }
    let number = runningNumber
    if mustYield { ready.decide() } else if ready.staysAtPoint(number) { return }
    recording?.note(Recording.letsAnotherRun)
    let thread = active
    ready.append(.stopped(thread), of: number)
    recording?.stop()
    // The next entry is already decided.
    if case .stopped(let other)? = ready.decidedEntry {
      _ = ready.next()
      passBaton(to: other)
    } else {
      blockage.joined()
      SimulatedThread.run(self)
    }
    wait(thread)
    if isRunningHere { recording?.resume(step: ready.steps) }
  }

  /// Lets another stopped thread finish its job after the end of the run, if the running one may wait for it in a loop.
  private func pointAfterEnd(mustYield: Bool) {
    pointsAfterEnd += 1
    if pointsAfterEnd >= Self.longestEnd {
      fatalError(
        """
        ActorStoreTesting: a run is over, but one of its tasks does not return from synchronous code. It probably waits \
        in a loop for another task. Wait with `await` instead, or limit the number of attempts.
        """)
    }
    guard mustYield || pointsAfterEnd.isMultiple(of: 100),
      case .stopped(let other)? = ready.takeFirst(where: \.isStopped)
    else { return }
    let thread = active
    ready.append(.stopped(thread), of: 0)
    passBaton(to: other)
    wait(thread)
  }

  /// The number of points after the end of a run that shows that a task never returns.
  private static var longestEnd: Int { 10_000_000 }

  /// Waits on a thread for the baton, or until the run is over because the running thread is blocked.
  private func wait(_ thread: SimulatedThread) {
    var detector = BlockDetector()
    thread.wait { self.blockage.look(&detector) }
  }

  /// Leaves a run in which a thread was blocked.
  ///
  /// The current thread is never reused, because another thread that has not noticed the end may still wake it.
  private func leaveBlockedRun(_ thread: SimulatedThread) -> Bool {
    if thread !== ownerThread { blockage.left() }
    return false
  }
}
