/// A guard that takes part in each action's turn and may refuse the action.
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
/// Every method has a default that does nothing, so implement only those you need. The store calls the methods of this
/// protocol in the action's turn, one at a time, and in the order of its guards. So they get exactly the state that the
/// action starts from or leaves behind. The store does not call them for an action that does not begin. For a deferred
/// action, it calls them when the action runs. A guard is also a ``ReportGuard``, so it can hear how every call ends,
/// whatever its outcome.
///
/// The methods are synchronous, and all other actions wait for them, so keep them short. The store calls them in the
/// task of the action, without a lock, and off the caller's actor. (For a ``Mutation`` or a synchronous transaction
/// sent to an idle store, that may be inside the call, on the caller's thread.) They may send to any store. An action
/// sent to the same store runs after those that already wait. A guard that sends to its own store must refer to it
/// weakly. Otherwise, the two keep each other alive.
///
/// To identify an action, use `action as? Increment` or `action is any Privileged`. The description of a closure is its
/// label. A guard is called for each member of a ``Store/Transaction``, with the draft as its state.
public protocol Guard<State>: ReportGuard {
  /// The state of the guarded stores.
  associatedtype State

  /// Whether `didUpdate` gets the old state, by default `false`.
  ///
  /// A store reads this property once, when the store is created. If it is `true`, each mutation copies the part of the
  /// state that it changes. Otherwise, a mutation edits that part in place.
  var wantsOldState: Bool { get }

  /// Returns `nil` to let an action run, or a veto to refuse it.
  ///
  /// After a veto, the action and the middleware do not run, and the caller gets ``Outcome/vetoed(_:)``. The store asks
  /// no other guard and calls no `willUpdate` or `didUpdate` for the action. All guards still get its report.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The state that the action starts from.
  func veto<A: Action<State>>(_ action: A, state: State) -> Veto?

  /// Tells the guard that an action is about to run.
  ///
  /// No guard has refused the action, but it may still fail, or a ``Middleware`` may refuse it.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The state that the action starts from.
  func willUpdate<A: Action<State>>(_ action: A, state: State)

  /// Tells the guard that an action was committed.
  ///
  /// The action still has the turn, and its `dispatch` has not returned yet. For a ``Store/Transaction``, the store
  /// calls this method once, after the commit of all members. If you keep `new` longer than the call, the next mutation
  /// copies the part of the state that it changes.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - old: The state that the commit replaced, or `nil` if ``wantsOldState`` is `false`.
  ///   - new: The committed state.
  func didUpdate<A: Action<State>>(_ action: A, old: State?, new: State)

  /// Tells the guard how a call ended, as for every ``ReportGuard``.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - report: How it ended.
  // Repeated here, so that the compiler infers the state of a guard that implements only this method.
  func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>)
}

extension Guard {
  /// Does not request the old state.
  public var wantsOldState: Bool { false }
  /// Lets every action run.
  public func veto<A: Action<State>>(_ action: A, state: State) -> Veto? { nil }
  /// Does nothing.
  public func willUpdate<A: Action<State>>(_ action: A, state: State) {}
  /// Does nothing.
  public func didUpdate<A: Action<State>>(_ action: A, old: State?, new: State) {}
}
