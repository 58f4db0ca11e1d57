import ActorStore

/// What became of the actions of a store, in order, and what a test has not asserted yet: the logic alone.
struct StoreEvents<State: Sendable>: Sendable {
  /// One action's end.
  struct Event: Sendable {
    enum End: Sendable {
      case committed(old: State, new: State)
      case failed(any Error)
    }

    /// The action; described only where something is to be said of it.
    let describeAction: @Sendable () -> String
    let type: ObjectIdentifier
    /// The call of a ``TestStore`` that it belongs to.
    let call: Int?
    let end: End

    var action: String { describeAction() }
  }

  private var events: [Event] = []

  /// What nobody has asserted, the first first.
  var unasserted: [Event] { events }

  mutating func append(_ event: Event) {
    events.append(event)
  }

  /// Takes out the end of a call's own action: the first of its type, since what it dispatched comes after it.
  mutating func claim(_ call: Int, _ type: ObjectIdentifier) -> Event? {
    guard let index = events.firstIndex(where: { $0.call == call && $0.type == type }) else { return nil }
    return events.remove(at: index)
  }

  /// Takes out the first that fits; of those before it, if they may be skipped, nothing is said any more.
  ///
  /// Nil when there is none yet. If they may not be skipped, it is the first of all, whether it fits or not.
  mutating func take(skippingOthers: Bool, where fits: (Event) -> Bool) -> Event? {
    if !skippingOthers { return events.isEmpty ? nil : events.removeFirst() }
    guard let index = events.firstIndex(where: fits) else { return nil }
    let event = events[index]
    events.removeSubrange(...index)
    return event
  }
}
