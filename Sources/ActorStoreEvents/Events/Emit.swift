public import ActorStore

/// The action that gives an event to the state.
///
/// `store.dispatch(.added("milk"))` is short for `store.dispatch(Emit(.added("milk")))`.
@frozen public struct Emit<State: EventDriven>: Mutation, CustomStringConvertible {
  /// Emitting an event has no result.
  public typealias Output = Void
  /// The error with which the state can refuse the event.
  public typealias Failure = State.Failure

  /// The event.
  public let event: State.Event

  /// Creates an action that gives an event to the state.
  ///
  /// - Parameter event: The event.
  @inlinable
  public init(_ event: State.Event) {
    self.event = event
  }

  /// Lets the state react to the event.
  @inlinable
  public func run(_ state: inout State) throws(State.Failure) { try state.react(to: event) }

  /// The event's name and payload.
  public var description: String { "\(event)" }
}

extension Emit: CustomReflectable {
  /// A mirror that shows the event in place of the action, for logs.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: [event], displayStyle: .optional) }
}

extension Emit: Equatable where State.Event: Equatable {}

/// The action that gives several events to the state, with one commit.
///
/// If the state refuses one of the events, none of them changes it.
@frozen public struct EmitAll<State: EventDriven>: Mutation, CustomStringConvertible {
  /// Emitting an event has no result.
  public typealias Output = Void
  /// The error with which the state can refuse an event.
  public typealias Failure = State.Failure

  /// The events, in order.
  public let events: [State.Event]

  /// Creates an action that gives several events to the state.
  ///
  /// - Parameter events: The events, in order.
  @inlinable
  public init(_ events: [State.Event]) {
    self.events = events
  }

  /// Lets the state react to each event, in order.
  @inlinable
  public func run(_ state: inout State) throws(State.Failure) {
    for event in events { try state.react(to: event) }
  }

  /// The events' names and payloads.
  public var description: String { "\(events)" }
}

extension EmitAll: CustomReflectable {
  /// A mirror that shows the events in place of the action, for logs.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: events, displayStyle: .collection) }
}

extension EmitAll: Equatable where State.Event: Equatable {}

extension Action where State: EventDriven {
  /// The events that the action gives to the state, or `nil` if it is another action.
  var emittedEvents: [State.Event]? {
    if let one = self as? Emit<State> { return [one.event] }
    return (self as? EmitAll<State>)?.events
  }
}
