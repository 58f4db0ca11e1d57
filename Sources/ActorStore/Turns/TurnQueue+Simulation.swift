/// Operations that have an effect only inside a simulation.
extension TurnQueue: SimulatedQueue {
  /// Suspends at the end of an `await` that may not have suspended, so that a simulation can run another task.
  @usableFromInline
  func pause() async {
    await simulation?.pause()
  }

  func pauseAfterReading() async {
    record(.read)
    await pause()
  }

  /// Adds this queue to the simulation, and reports the store's name to the observer.
  func named(_ name: @autoclosure () -> String) {
    guard let simulation else { return }
    simulation.add(self)
    simulation.observer?.record(store: id.number, name: name())
  }

  /// Reports an event to the simulation's observer, if there is one.
  func record(
    _ event: @autoclosure () -> TurnObserver.Event,
    of ticket: @autoclosure () -> TicketNumber = TicketNumber()
  ) {
    guard isSimulated, let observer = simulation?.observer else { return }
    observer.record(event(), store: id.number, ticket: ticket().number)
  }

  var hasUnfinishedAction: Bool {
    let snapshot = snapshot()
    return snapshot.holder != nil || !snapshot.overlapping.isEmpty
  }
}
