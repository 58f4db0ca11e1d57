/// Watches the life of each action of a store, and may refuse it.
///
/// ```swift
/// struct OpeningHours: Guard {
///   let isOpen: @Sendable () -> Bool
///
///   func veto<A: Action<Shop>>(_ action: A, state: Shop) -> Veto? {
///     isOpen() || action is Restock ? nil : Veto("the shop is closed")
///   }
/// }
///
/// let store = Store(Shop(), guards: [OpeningHours { clock.isOpen }])
/// ```
///
/// Every hook has a default that does nothing; a guard has those it needs. All of them are called inside the action's
/// turn, so the state they get is the one the action starts from, or has left; never two at once; and in the order in
/// which the guards were given. They never hear of an action that is `.cancelled` or `.closed`, and of one that is
/// `.deferred` when it runs.
///
/// Hooks are synchronous, and everybody else waits meanwhile: keep them short. They are called in the task of the
/// action, without a lock, off the caller's actor (for a ``Mutation`` sent to an idle store it may be inside the call of
/// `send`, on the caller's thread). They may read what they like and `send` to any store, this one included; what they
/// send to this one comes after all that waits already. A guard that sends to its own store refers to it weakly, or the
/// two keep each other.
///
/// What an action is, `action as? Increment` or `action is any Privileged` tells; a closure describes itself by its
/// label. The members of a ``Store/Transaction`` come one by one.
public protocol Guard<State>: Sendable {
  /// The state of the stores it guards.
  associatedtype State: Sendable

  /// Whether `didUpdate` is to get the state as it was before; false when not written.
  ///
  /// Asked once, when the store is made. It costs every mutation a copy of the part of the state that it changes, which
  /// it would otherwise edit in place (P16).
  var wantsOldState: Bool { get }

  /// Lets an action run, by returning nil, or refuses it.
  ///
  /// After a veto no other guard is asked, no other hook of any guard is called, the action does not run, and the
  /// caller gets ``Outcome/vetoed(_:)``. (Of a transaction that the veto has undone, `didFail` says so.)
  func veto<A: Action<State>>(_ action: A, state: State) -> Veto?

  /// An action that no guard has refused is about to run; it may still fail.
  func willUpdate<A: Action<State>>(_ action: A, state: State)

  /// An action was committed. The turn is still its own, and nobody has heard yet from `dispatch`.
  ///
  /// Called once for a ``Store/Transaction``, after all of its members. If you keep `new` longer than the call, the
  /// next mutation copies the part of the state that it changes.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - old: The state that the commit replaced; nil unless ``wantsOldState``.
  ///   - new: The state that is committed now.
  func didUpdate<A: Action<State>>(_ action: A, old: State?, new: State)

  /// An action has thrown; the state is as it was.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - error: What it threw.
  ///   - state: The state, which has not changed.
  func didFail<A: Action<State>>(_ action: A, error: any Error, state: State)
}

extension Guard {
  /// It does not.
  public var wantsOldState: Bool { false }
  /// Lets every action run.
  public func veto<A: Action<State>>(_ action: A, state: State) -> Veto? { nil }
  /// Does nothing.
  public func willUpdate<A: Action<State>>(_ action: A, state: State) {}
  /// Does nothing.
  public func didUpdate<A: Action<State>>(_ action: A, old: State?, new: State) {}
  /// Does nothing.
  public func didFail<A: Action<State>>(_ action: A, error: any Error, state: State) {}
}
