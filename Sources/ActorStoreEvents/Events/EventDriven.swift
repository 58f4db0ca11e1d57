/// A state that changes by reacting to events.
///
/// ```swift
/// struct Todos: EventDriven {
///   enum Event: Sendable { case added(String), cleared }
///
///   var names: [String] = []
///
///   mutating func react(to event: Event) {
///     switch event {
///     case .added(let name): names.append(name)
///     case .cleared: names = []
///     }
///   }
/// }
///
/// let store = Store(Todos())
/// await store.dispatch(.added("milk"))
/// store.send(.cleared)
/// ```
///
/// Emitting an event is an action (``Emit``). So events run in call order among all other actions of the store, and
/// guards, middleware, transitions, and logs show them by name and payload.
public protocol EventDriven: Sendable {
  /// The type of the events, usually an enumeration.
  associatedtype Event: Sendable
  /// The error with which the state can refuse an event, by default `Never`.
  ///
  /// If it is not `Never`, each event works on a copy of the state.
  associatedtype Failure: Error = Never

  /// Creates the initial state.
  init()

  /// Changes the state.
  ///
  /// If the method throws an error, the event changes nothing, and the caller gets the error.
  ///
  /// The default implementation ignores all events. Swift also uses it if the signature of your method does not
  /// match. If your method throws errors, declare their type: `throws(Failure)`.
  ///
  /// - Parameter event: The event.
  mutating func react(to event: Event) throws(Failure)
}

extension EventDriven {
  /// Ignores the event.
  public mutating func react(to event: Event) throws(Failure) {}
}
