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
    /// The position among all recorded events, starting at 1.
    fileprivate(set) var number = 0

    var action: String { label ?? dump() }
    /// The label by which a test can receive the event.
    var name: String { label ?? typeName }
  }

  /// The events, in order.
  private(set) var events: [Event] = []
  private var count = 0

  mutating func append(_ event: Event) {
    events.append(event)
    count += 1
    events[events.count - 1].number = count
  }

  /// Removes and returns the end of the action that a task has just dispatched.
  ///
  /// This is the last event of its type in that task. If an action dispatches and awaits other actions in the same
  /// task, they end before it.
  mutating func claimLast(_ type: ObjectIdentifier, in task: UInt64?) -> Event? {
    guard let index = events.lastIndex(where: { $0.task == task && $0.type == type }) else { return nil }
    return events.remove(at: index)
  }

  /// Removes an event and those before it, or returns `false` if it has been taken already.
  mutating func take(through event: Event) -> Bool {
    guard let index = events.firstIndex(where: { $0.number == event.number }) else { return false }
    events.removeSubrange(...index)
    return true
  }

  /// Removes and returns all events.
  mutating func takeAll() -> [Event] {
    defer { events = [] }
    return events
  }
}
