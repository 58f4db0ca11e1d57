import ActorStore

/// The points at which stores and atoms let other tasks run, and the accesses that they report.
extension SimulatedExecutor: SimulationScheduler {
  func makeHooks() -> SimulationHooks {
    SimulationHooks(self, clock: SimulationClock(self), observer: recording?.observer)
  }

  func note(_ text: String) {
    if isRunningHere { recording?.noteCall(text) }
  }

  // MARK: Points at an `await`

  /// Decides whether the running task continues at the beginning or at the end of an `await`.
  ///
  /// A task outside of this simulation does. A task that has left, or another simulation, may use the same store, but
  /// this executor does not choose their steps.
  func continues(before next: NextStep, isAfterCheck: Bool) -> Bool {
    // The run is over. The task never continues, like every task that waits when a run ends.
    if SwiftRuntime.current === self, blockage.isFound { return false }
    guard isRunningHere else { return true }
    if needsAccesses, !ready.skipsNextPoint { accesses?.held = [] }
    lookForCancellation()
    return ready.staysAtPause(runningNumber, isOpen: !isAfterCheck || points.includeCancellations)
  }

  func putBack(_ task: Parked<Void>, before next: NextStep) {
    guard isRunningHere else { return }
    // At the end of a run, a task that could continue does not.
    if !ready.isOver { recording?.note(Recording.letsAnotherRun) }
    ready.append(.paused(task), of: runningNumber, before: next)
  }

  // MARK: Points in synchronous code

  func point(before next: NextStep) {
    guard mayStop, !ready.skipsPoint() else { return }
    if ready.isOver { return pointAfterEnd(mustYield: false) }
    if ready.isEmpty, ready.sleepers.isEmpty { return }
    stopUnlessChosen(before: next)
  }

  func pointInCommit(of store: ObjectIdentifier) {
    guard mayStop, !ready.isOver else { return }
    stopUnlessChosen(before: .store(store), .accessing(store))
  }

  func pointAfterCancel() {
    guard mayStop, !ready.isOver, !ready.isEmpty || !ready.sleepers.isEmpty else { return }
    if points.includeUnsafe, CancellationProbe.mayBeInHandler { return }
    stopUnlessChosen(before: .ownCode, isUnsafe: true)
  }

  /// Lets a new task run before the next statement of its creator.
  ///
  /// Older tasks do not run here. Whatever such a task does before the creator's next point, it could also do before
  /// this point.
  ///
  /// A search lets the new task run its own code, up to its next point. What the new task does later matters to the
  /// creator's next statement only if a task may be canceled, or if an action creates the new task.
  ///
  /// - Parameter isChild: Whether the new task is a child task. A cancellation handler cannot create a child task.
  func pointAfterCreation(isChild: Bool) {
    guard hasBegun, mayStop, !ready.isOver else { return }
    if !isChild, points.includeUnsafe, CancellationProbe.mayBeInHandler { return }
    creations += 1
    let isBrief = !points.includeCancellations && !needsAccesses && !SimulationHooks.isInAction
    stopUnlessChosen(before: .ownCode, .newest, isUnsafe: !isChild, isBrief: isBrief)
  }

  /// Finds out whether the running task has been canceled, if the search wants to know that.
  private func lookForCancellation() {
    if !points.includeCancellations, !hasSeenCancellation, Task.isCancelled { hasSeenCancellation = true }
  }

  /// Lets another task run before the body accesses memory that the library does not track.
  func pointOfUser() {
    point(before: .ownCode)
    hooks?.touchUntracked()
  }

  func pointBeforeRecordedCall() {
    pointOfUser()
    if isRunningHere { ready.skipsNextPoint = true }
  }

  func nestPointless(_ change: Int) {
    if isRunningHere { pointlessDepth += change }
  }

  func yield() {
    guard mayStop, !ready.skipsPoint() else { return }
    if ready.isOver { return pointAfterEnd(mustYield: true) }
    if ready.isEmpty { return }
    let held = accesses?.held ?? []
    ready.decide()
    if let firstStep { nestedSteps?.refuse(firstStep) }
    if isNested { return giveUpNesting() }
    stop(before: .unknown)
    touchAgain(held)
  }

  /// Ends a run in which a nested step would have to stop.
  private func giveUpNesting() {
    mustBeRepeated = true
    ready.isClosed = true
  }

  private var mayStop: Bool { isRunningHere && pointlessDepth == 0 }

  /// Decides whether the running task continues, and if not, lets the chosen one run.
  ///
  /// - Parameter isUnsafe: Whether the task may hold a lock that another task needs.
  private func stopUnlessChosen(
    before next: NextStep, _ scope: ReadyJobs<Entry>.Scope = .all, isUnsafe: Bool = false, isBrief: Bool = false
  ) {
    let held = accesses?.held ?? []
    let isOpen = !isUnsafe || points.includeUnsafe
    if !ready.staysAtPoint(runningNumber, scope, isOpen: isOpen, isBrief: isBrief) {
      if let firstStep { nestedSteps?.refuse(firstStep) }
      if isNested { return giveUpNesting() }
      if isUnsafe { blockage.stopsUnsafely(1) }
      firstStep = isBrief && !isUnsafe ? creations : nil
      if let firstStep, nestedSteps?.allows(firstStep) == true { runNested(before: next) } else { stop(before: next) }
      firstStep = nil
      if isUnsafe, isRunningHere { blockage.stopsUnsafely(-1) }
      lookForCancellation()
    }
    // In the next step, synchronous code can still access the objects that it has accessed in this one.
    touchAgain(held)
  }
}
