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
/// ```
///
/// Emitting an event is an action. So events run in call order among all other actions of the store.
public protocol EventDriven: Sendable {
  /// The type of the events, usually an enumeration.
  associatedtype Event: Sendable
  /// The error with which the state can refuse an event, by default `Never`.
  associatedtype Failure: Error = Never

  /// Creates the initial state.
  init()

  /// Changes the state.
  ///
  /// If the function throws, the state remains unchanged. The default implementation ignores all events.
  mutating func react(to event: Event) throws(Failure)
}

extension EventDriven {
  public mutating func react(to event: Event) throws(Failure) {}
}
