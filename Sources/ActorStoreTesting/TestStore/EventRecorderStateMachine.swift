import ActorStore

/// The logic of a queue of events that a test has not asserted yet.
struct EventRecorderStateMachine<State: Sendable>: Sendable {
  /// The end of an action, or of a group that failed.
  struct Event: Sendable {
    enum End: Sendable {
      case committed(old: State, new: State)
      case failed(any Error)
      case vetoed(Veto)
    }

    /// The action's description of itself, which is the label of a closure.
    let label: String?
    /// The action itself, or the group.
    let subject: any Sendable
    /// Describes an action without a label, for messages only.
    let dump: @Sendable () -> String
    let typeName: String
    let type: ObjectIdentifier
    /// The number of the task in which the action ran.
    let task: UInt64?
    let end: End

    var action: String { label ?? dump() }
    /// The label by which a test can receive the event.
    var name: String { label ?? typeName }
  }

  private var events: [Event] = []

  mutating func append(_ event: Event) {
    events.append(event)
  }

  /// Removes and returns the end of the action that a task has just dispatched.
  ///
  /// This is the last event of its type in that task. If an action dispatches and awaits other actions in the same
  /// task, they end before it.
  mutating func claimLast(_ type: ObjectIdentifier, in task: UInt64?) -> Event? {
    guard let index = events.lastIndex(where: { $0.task == task && $0.type == type }) else { return nil }
    return events.remove(at: index)
  }

  /// Removes and returns the events up to the first one that fits.
  ///
  /// If other events must not be skipped, removes and returns only the first event, whether it fits or not. If there is
  /// no such event, returns an empty array.
  mutating func take(skippingOthers: Bool, where fits: (Event) -> Bool) -> [Event] {
    guard let index = skippingOthers ? events.firstIndex(where: fits) : events.indices.first else { return [] }
    let taken = Array(events[...index])
    events.removeSubrange(...index)
    return taken
  }

  /// Whether `take` would return an event.
  func has(skippingOthers: Bool, where fits: (Event) -> Bool) -> Bool {
    skippingOthers ? events.contains(where: fits) : !events.isEmpty
  }

  /// Removes and returns all events.
  mutating func takeAll() -> [Event] {
    defer { events = [] }
    return events
  }
}
