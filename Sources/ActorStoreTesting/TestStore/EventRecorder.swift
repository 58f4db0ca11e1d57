import ActorStore

/// Records the ends of a store's actions, and the errors of its sent groups, and notifies the tasks that wait for them.
final class EventRecorder<State: Sendable>: EndWitness {
  private struct Notes: Sendable {
    var events = EventRecorderStateMachine<State>()
    var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastNumber = 0

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private let notes = Locked(Notes())

  var wantsOldState: Bool { true }

  func didUpdate<A: Action<State>>(_ action: A, old: State?, new: State) {
    if let old { append(action, A.self, .committed(old: old, new: new)) }
  }

  func didFail<A: Action<State>>(_ action: A, error: any Error) {
    // A veto that a transaction throws is the transaction's outcome.
    if A._execution.isTransaction, let veto = error as? Veto { return didVeto(action, veto) }
    append(action, A.self, .failed(error))
  }

  func didVeto<A: Action<State>>(_ action: A, _ veto: Veto) {
    append(action, A.self, .vetoed(veto))
  }

  func didBegin<G: Sendable>(_ group: G, isSent: Bool) -> @Sendable ((any Error)?) -> Void {
    { error in
      // The caller gets the error of a dispatched group.
      if let error, isSent { self.append(group, G.self, .failed(error)) }
    }
  }

  private func append<A: Sendable>(_ action: A, _ type: A.Type, _ end: EventRecorderStateMachine<State>.Event.End) {
    let event = EventRecorderStateMachine<State>.Event(
      label: (action as? any CustomStringConvertible)?.description, subject: action, dump: { Dump.text(of: action) },
      typeName: "\(type)", type: ObjectIdentifier(type), task: SwiftRuntime.currentTaskID, end: end)
    change { $0.events.append(event) }
  }

  private func change(_ body: (inout Notes) -> Void) {
    SimulationHooks.ofThread?.touch(self)
    let waiting = notes.withLock { notes in
      body(&notes)
      return notes.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    for continuation in waiting { continuation.yield() }
  }

  func withEvents<Result: Sendable>(_ body: (inout EventRecorderStateMachine<State>) -> Result) -> Result {
    notes.withLock { body(&$0.events) }
  }

  /// Returns the first event that fits, or the very first event if others must not be skipped.
  ///
  /// The closure is called while no lock is held, because it can call the `==` of an action.
  func next(
    skippingOthers: Bool, where fits: (EventRecorderStateMachine<State>.Event) -> Bool
  ) -> EventRecorderStateMachine<State>.Event? {
    let events = withEvents { $0.events }
    return skippingOthers ? events.first(where: fits) : events.first
  }

  /// Removes and returns the event that `next` finds, and removes the events before it.
  func take(
    skippingOthers: Bool, where fits: (EventRecorderStateMachine<State>.Event) -> Bool
  ) -> EventRecorderStateMachine<State>.Event? {
    while let event = next(skippingOthers: skippingOthers, where: fits) {
      if withEvents({ $0.take(through: event) }) { return event }
    }
    return nil
  }

  /// Returns a stream with one element now, and at least one after each change.
  func changes() -> AsyncStream<Void> {
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = notes.withLock { notes in
      let number = notes.nextNumber()
      notes.waiting[number] = continuation
      return number
    }
    continuation.onTermination = { [weak self] _ in self?.notes.withLock { $0.waiting[number] = nil } }
    continuation.yield()
    return changes
  }
}

/// Returns the action's description of itself, such as a closure's label, or its dump.
func describe(_ action: Any) -> String {
  (action as? any CustomStringConvertible)?.description ?? Dump.text(of: action)
}
