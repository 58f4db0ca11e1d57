import ActorStore

/// What became of the actions of a store, in order, and what a test has not asserted yet: the logic alone.
struct EventRecorderStateMachine<State: Sendable>: Sendable {
  /// The end of one action, or of one group that has failed.
  struct Event: Sendable {
    enum End: Sendable {
      case committed(old: State, new: State)
      case failed(any Error)
      case vetoed(Veto)
    }

    /// How the action describes itself, as a closure does by its label.
    let label: String?
    /// What can be read of it otherwise; only where something is to be said of it.
    let dump: @Sendable () -> String
    let type: ObjectIdentifier
    /// The number of the task that it ran in.
    let task: UInt64?
    let end: End

    var action: String { label ?? dump() }
  }

  private var events: [Event] = []

  mutating func append(_ event: Event) {
    events.append(event)
  }

  /// Takes out the end of what a task has just dispatched: the last of its type in that task, since what an action
  /// dispatches and awaits there ends before it.
  mutating func claimLast(_ type: ObjectIdentifier, in task: UInt64?) -> Event? {
    guard let index = events.lastIndex(where: { $0.task == task && $0.type == type }) else { return nil }
    return events.remove(at: index)
  }

  /// Takes out the first that fits, which is the last of those returned, and, if they may be skipped, those before it.
  ///
  /// Nothing when there is none yet. If they may not be skipped, it is the first of all, whether it fits or not.
  mutating func take(skippingOthers: Bool, where fits: (Event) -> Bool) -> [Event] {
    guard let index = skippingOthers ? events.firstIndex(where: fits) : events.indices.first else { return [] }
    let taken = Array(events[...index])
    events.removeSubrange(...index)
    return taken
  }

  /// Whether there is something to take.
  func has(skippingOthers: Bool, where fits: (Event) -> Bool) -> Bool {
    skippingOthers ? events.contains(where: fits) : !events.isEmpty
  }

  /// Takes out all.
  mutating func takeAll() -> [Event] {
    defer { events = [] }
    return events
  }
}
