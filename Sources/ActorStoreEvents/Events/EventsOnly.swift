public import ActorStore

/// A guard that lets a state change only by events.
///
/// ```swift
/// let store = Store(Todos(), guards: [EventsOnly()])
/// await store.dispatch { $0.names = [] }  // .vetoed
/// ```
///
/// It refuses all actions except ``Emit``, ``EmitAll``, and those that are a `TimeMove`. In a transaction, it asks
/// about each member, so a transaction of events is committed.
public struct EventsOnly<State: EventDriven>: Guard {
  /// Creates a guard.
  public init() {}

  /// Refuses an action that is not an event.
  public func veto<A: Action<State>>(_ action: A, state: State) -> Veto? {
    if A.self == Emit<State>.self || A.self == EmitAll<State>.self || action is any TimeMove { return nil }
    // The description of an action can contain secrets.
    let name = action._label?.description ?? "\(A.self)"
    return Veto("Only events change \(State.self). Dispatch an event instead of \(name).")
  }
}
