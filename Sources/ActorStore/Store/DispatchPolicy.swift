/// How an action is run among the others of its store.
public struct DispatchPolicy: Sendable, Hashable {
  @usableFromInline enum Kind: Sendable {
    case serial
    case overlapping
  }

  @usableFromInline let kind: Kind

  /// Alone, from its start to its commit, in the order of the calls (P1, P2): what actions do unless told otherwise.
  public static let serial = DispatchPolicy(kind: .serial)

  /// Beside others: they start in the order of the calls, and commit in the order in which they finish.
  ///
  /// An overlapping action has a turn for its start, in which guards are asked and its draft is taken from the state,
  /// and one for its commit; in between it holds up nobody. Both wait for their place as any action does, so neither
  /// lands inside a serial one. Its commit replaces the whole state: what others have committed since it started is
  /// lost, the last to finish wins. Where that must not be, an ``ActionGroup`` waits without a turn and dispatches the
  /// result.
  ///
  /// - Its own dispatches are not deferred, since it has no turn while it runs.
  /// - Once it has begun, a cancellation reaches it cooperatively, as always; if it returns it is committed (P9), also
  ///   after ``Store/close()``.
  /// - Guards hear of it once each: before it starts, and at its commit (with the state that it then replaces) or
  ///   failure.
  /// - If the wait for its commit would close a circle of stores (P8), the outcome is `.deferred`: the commit comes in
  ///   its place, without the caller.
  /// - A ``Mutation`` never suspends, so it overlaps with nothing and takes one turn.
  public static let overlapping = DispatchPolicy(kind: .overlapping)
}

extension Action {
  /// A mutation never does: it cannot suspend.
  @inlinable
  static func overlaps(under policy: DispatchPolicy) -> Bool {
    policy.kind == .overlapping && _execution == .asynchronous
  }
}
