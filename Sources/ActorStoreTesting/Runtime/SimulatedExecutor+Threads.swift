import ActorStore

/// The threads of a simulation.
///
/// A synchronous call cannot suspend its task. To let another task run in the middle of it, the simulation stops the
/// thread and passes the baton to another thread, which runs the next steps. A stopped thread is an entry among the
/// ready jobs. When the schedule chooses it, it gets the baton back and continues its job.
extension SimulatedExecutor {
  /// Runs all steps, and returns how the run ended.
  func drain() -> Simulation.Verdict {
    hasBegun = true
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
      case .entry(.stopped(let other)):
        leave(thread)
        passBaton(to: other)
        return false
      case .entry(let entry): runStep(entry)
      case .sleeper(let index): wakeEarly(index)
      }
    }
  }

  /// Takes the entry of the next step, or after the end of the run, the next stopped thread.
  private func nextEntry() -> ReadyJobs<Entry>.Next? {
    if !wasReachedByAnotherThread, let entry = ready.nextIfOpen() { return entry }
    if verdict == nil { verdict = findVerdict() }
    if verdict == nil { return ready.next() }
    ready.isClosed = true
    return takeStopped().map { .entry(.stopped($0)) }
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

  /// Stops the running task in the middle of synchronous code, until the schedule continues it.
  ///
  /// The next entry is already decided.
  func stop(before next: NextStep) {
    recording?.note(Recording.letsAnotherRun)
    let (thread, isInMailbox) = (active, isInMailbox)
    ready.append(.stopped(thread), of: runningNumber, before: next)
    recording?.stop()
    if case .stopped(let other)? = ready.decidedEntry {
      _ = ready.next()
      passBaton(to: other)
    } else {
      blockage.joined()
      SimulatedThread.run(self)
    }
    wait(thread)
    if !isRunningHere { return }
    self.isInMailbox = isInMailbox
    recording?.resume(step: ready.steps)
  }

  /// Runs the first step of a new task inside the job of its creator, which then continues.
  ///
  /// The next entry, which is the new task, is already decided.
  func runNested(before next: NextStep) {
    let isInMailbox = isInMailbox
    ready.append(.creator, of: runningNumber, before: next)
    isNested = true
    nestedCount += 1
    if case .entry(let entry) = ready.next() { runStep(entry) }
    (isNested, self.isInMailbox) = (false, isInMailbox)
    if ready.isOver {
      _ = ready.takeFirst { if case .creator = $0 { true } else { false } }
      return
    }
    guard case .entry(.creator) = ready.next() else {
      preconditionFailure("ActorStoreTesting: a creator does not continue. This is a bug in ActorStoreTesting.")
    }
  }

  /// Lets another stopped thread finish its job after the end of the run, if the running one may wait for it in a loop.
  func pointAfterEnd(mustYield: Bool) {
    pointsAfterEnd += 1
    if pointsAfterEnd >= Self.longestEnd {
      fatalError(
        """
        ActorStoreTesting: a run is over, but one of its tasks does not return from synchronous code. It probably waits \
        in a loop for another task. Wait with `await` instead, or limit the number of attempts.
        """)
    }
    guard mustYield || pointsAfterEnd.isMultiple(of: 100), let other = takeStopped() else { return }
    let thread = active
    ready.append(.stopped(thread), of: 0)
    passBaton(to: other)
    wait(thread)
  }

  /// The number of points after the end of a run that shows that a task never returns.
  private static var longestEnd: Int { 10_000_000 }

  private func takeStopped() -> SimulatedThread? {
    if case .stopped(let thread)? = ready.takeFirst(where: \.isStopped) { thread } else { nil }
  }

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
