import ActorStore

/// The hooks through which stores and atoms reach a simulation.
extension SimulatedExecutor {
  func makeHooks() -> SimulationHooks {
    var note: (@Sendable (String) -> Void)?
    if recording != nil { note = { text in self.note { text } } }
    return SimulationHooks(
      continues: { self.continuesAtPause() },
      putBack: { self.putBack($0) },
      point: { self.point() },
      pointBeforeRecordedCall: { self.pointBeforeRecordedCall() },
      nestPointless: { self.nestPointless($0) },
      yield: { self.point(mustYield: true) },
      accesses: needsAccesses
        ? .init(create: { self.created($0) }, touch: { self.touched($0, isWrite: $1, isHeld: $2) }) : nil,
      note: note,
      clock: SimulationClock(self),
      observer: recording?.observer)
  }

  /// Decides whether the running task continues at the beginning or at the end of an `await`.
  ///
  /// A task outside of this simulation does. A task that has left, or another simulation, may use the same store, but
  /// this executor does not choose their steps.
  private func continuesAtPause() -> Bool {
    // The run is over. The task never continues, like every task that waits when a run ends.
    if SwiftRuntime.current === self, blockage.isFound { return false }
    guard isRunningHere else { return true }
    if needsAccesses, !ready.skipsNextPoint { accesses?.held = [] }
    return ready.staysAtPause(runningNumber)
  }

  private func putBack(_ task: Parked<Void>) {
    guard isRunningHere else { return }
    recording?.note(Recording.letsAnotherRun)
    ready.append(.paused(task), of: runningNumber)
  }
}
