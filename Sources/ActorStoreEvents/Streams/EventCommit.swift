public import ActorStore

/// One commit of a store, with the events that changed its state.
///
/// `store.events()` delivers the commits. Copying a commit takes constant time.
public struct EventCommit<State: EventDriven>: Sendable {
  /// The commit, with its action and its states.
  public let transition: Transition<State>
  /// The events to which the state reacted, in order.
  ///
  /// It is empty in the first element of a stream, and for an action that is not an event.
  public let events: [State.Event]

  init(_ transition: Transition<State>) {
    self.transition = transition
    events = transition.events
  }

  /// The number of commits up to and including this one.
  public var revision: UInt64 { transition.revision }
  /// The state before the commit, or `nil` in the first element of a stream.
  public var old: State? { transition.old }
  /// The committed state, or in the first element the state at the time of the call.
  public var new: State { transition.new }
}

extension Transition where State: EventDriven {
  /// The events of the action, or of the members of a transaction, in order.
  public var events: [State.Event] {
    guard let action else { return [] }
    return members.isEmpty ? action.emittedEvents ?? [] : members.flatMap { $0.emittedEvents ?? [] }
  }
}
