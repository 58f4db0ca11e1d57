/// Operations that have an effect only inside a simulation.
extension TurnQueue: SimulatedQueue {
  /// Lets another task run at the end of an `await` that may not have suspended.
  @usableFromInline
  nonisolated(nonsending) func pause() async {
    await simulation?.pause(before: .ownCode)
  }

  /// Lets another task run after the turn has arrived, or before the commit of an action without a turn.
  ///
  /// - Parameter isAfterCheck: Whether the task has already checked for cancellation. A later cancellation does not
  ///   prevent the action.
  @usableFromInline
  nonisolated(nonsending) func pauseInCall(isAfterCheck: Bool = false) async {
    await simulation?.pause(before: ownStep, isAfterCheck: isAfterCheck)
  }

  /// The next step of a task that reads or changes this store.
  private var ownStep: NextStep { .store(ObjectIdentifier(self)) }

  /// Lets another task run at the beginning of an `await`, before the call has any effect.
  ///
  /// A caller that is isolated to an actor must not suspend here. Otherwise, the actor could run another call first,
  /// which cannot happen outside a simulation.
  @usableFromInline
  nonisolated(nonsending) func pauseBeforeCall() async {
    let caller: (any Actor)? = #isolation
    let isIsolated = caller != nil
    if isIsolated { point() } else { await simulation?.pause(before: ownStep) }
  }

  nonisolated(nonsending) func pauseBeforeReading() async {
    await pauseBeforeCall()
    touch(isWrite: false)
  }

  /// Lets another task run in the middle of synchronous code, before a call.
  @usableFromInline
  func point() {
    if isSimulated { simulation?.scheduler.point(before: ownStep) }
  }

  /// Lets another task run in the middle of synchronous code, after a call with effects on other tasks.
  @usableFromInline
  func pointAfterCall() {
    if isSimulated { simulation?.scheduler.point(before: .ownCode) }
  }

  /// Lets another task that may access the store or an atom run between two steps of a commit.
  ///
  /// On several threads, other tasks can see the first step without the second one.
  func pointInCommit() {
    if isSimulated { simulation?.scheduler.pointInCommit(of: ObjectIdentifier(self)) }
  }

  /// Lets another task run before a call that only reads.
  func pointBeforeReading() {
    point()
    touch(isWrite: false)
  }

  /// Lets another task run before guards hear how a call ended.
  ///
  /// The guards share memory that no turn orders, so the step counts as a change of the store.
  @usableFromInline
  @inline(never)  // HP2
  func pointBeforeReport() {
    point()
    touch()
  }

  /// Tells the simulation that the current step reads or changes the store.
  func touch(isWrite: Bool = true) {
    if isSimulated { simulation?.touch(self, isWrite: isWrite) }
  }

  /// Adds this queue to the simulation, and reports the store's name to the observer.
  func named(_ name: @autoclosure () -> String) {
    guard let simulation else { return }
    simulation.add(self)
    simulation.created(self)
    simulation.observer?.record(store: id.number, name: name())
  }

  /// Reports an event to the simulation.
  func record(
    _ event: @autoclosure () -> TurnObserver.Event,
    of ticket: @autoclosure () -> TicketNumber = TicketNumber()
  ) {
    guard isSimulated, let simulation else { return }
    touch()
    simulation.observer?.record(event(), store: id.number, ticket: ticket().number)
  }

  /// Reports an event to a simulation, which counts as no access to the store.
  func note(_ event: @autoclosure () -> TurnObserver.Event, of ticket: TicketNumber = TicketNumber()) {
    if isSimulated { simulation?.observer?.record(event(), store: id.number, ticket: ticket.number) }
  }

  /// Reports to a simulation that an action does not run, because its task is canceled.
  @usableFromInline
  func noteRefusal(_ label: ActionLabel) {
    note(.refused(action: label.description))
  }

  var hasUnfinishedAction: Bool {
    let snapshot = snapshot()
    return snapshot.holder != nil || !snapshot.overlapping.isEmpty
  }
}
