/// How an action runs among the other actions of its store.
@frozen public struct DispatchPolicy: Sendable, Hashable {
  @frozen @usableFromInline enum Kind: Sendable {
    case serial
    case overlapping
  }

  @usableFromInline let kind: Kind

  // The policies are computed properties, so that the compiler knows the policy of a call (HP1).
  @inlinable
  init(kind: Kind) {
    self.kind = kind
  }

  /// Runs an action alone, from its start to its commit, in call order.
  ///
  /// This is the default.
  @inlinable public static var serial: DispatchPolicy { DispatchPolicy(kind: .serial) }

  /// Runs an action at the same time as others.
  ///
  /// Such actions start in call order, and commit in the order in which they finish.
  ///
  /// An overlapping action has one turn to start, in which the store asks the guards and copies the draft, and another
  /// turn to commit. Between the two, it holds up no other action. It waits for both turns in the queue, so neither
  /// falls inside a serial action.
  ///
  /// - Important: Its commit replaces the whole state. The changes of other commits since its start are lost (last
  ///   writer wins). To wait without a turn and without lost updates, use an ``ActionGroup`` that dispatches the
  ///   result.
  ///
  /// - Its dispatches to the same store do not wait for the action itself, because it has no turn while it runs. So
  ///   they are not deferred, unless the wait would close a cycle in another way.
  /// - After it begins, cancellation is cooperative, as for every action. If the action returns, it is committed, even
  ///   after ``Store/close()``.
  /// - The store asks the guards before the action starts, and calls their `didUpdate` when it commits, with the state
  ///   that its commit replaces.
  /// - If the wait for its commit would close a cycle of stores, the outcome is ``Outcome/deferred``. The commit
  ///   follows after the action that made the call has committed. If that action fails, the commit never happens, and
  ///   the guards get a second report with the outcome ``ReportedOutcome/givenUp``. See P8 and P19 in <doc:Promises>.
  /// - A ``Mutation`` never suspends, so it overlaps with nothing and takes one turn.
  @inlinable public static var overlapping: DispatchPolicy { DispatchPolicy(kind: .overlapping) }
}

extension Action {
  /// Whether an action of this type overlaps with others.
  ///
  /// Mutations never do, because they cannot suspend.
  @inlinable
  static func overlaps(under policy: DispatchPolicy) -> Bool {
    policy.kind == .overlapping && _execution == .asynchronous
  }
}
