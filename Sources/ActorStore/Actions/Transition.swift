/// One commit of a store, with the action and the states before and after it.
///
/// ``Store/transitions(bufferingPolicy:)`` delivers transitions. A transition refers to its states, and shares them
/// with other consumers. So copying a transition takes constant time.
public struct Transition<State: Sendable>: Sendable {
  /// The number of commits up to and including this one.
  public let revision: UInt64
  /// The committed action, or `nil` in the first element of a stream.
  ///
  /// The description of a closure or a transaction is its label.
  public let action: (any Action<State>)?
  /// The members of a transaction that took part in its commit, in order.
  ///
  /// It is empty for other actions. Without guards, it is also empty for a transaction that began before the store had a
  /// stream of transitions.
  public let members: [any Action<State>]
  private let oldState: AnyPublished?
  private let newState: AnyPublished

  /// The state that the commit replaced, or `nil` in the first element of a stream.
  public var old: State? { oldState?.value(as: State.self) }
  /// The committed state, or in the first element the state at the time of the call.
  public var new: State { newState.value(as: State.self) }

  /// Creates a transition from the boxes of its states, to publish it.
  @usableFromInline
  static func published(
    _ revision: UInt64,
    _ action: (any Action<State>)?,
    members: [any Action<State>],
    from old: AnyPublished?,
    to new: AnyPublished
  ) -> AnyPublished {
    Published(Transition(revision: revision, action: action, members: members, oldState: old, newState: new))
  }
}

extension Transition {
  /// The objects that contain the states, for tests.
  var boxes: (old: AnyPublished?, new: AnyPublished) { (oldState, newState) }
}
