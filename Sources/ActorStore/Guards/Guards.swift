/// The guards that take part in the turns of a store.
///
/// The holder of the turn calls them without a lock.
///
/// They form a list of objects rather than an array (HP11).
@usableFromInline protocol Guards<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  /// Whether any guard wants the old state.
  var wantOldState: Bool { get }

  /// Asks all guards and, if none vetoes the action, tells all of them that it is about to run.
  func admit<A: Action<State>>(_ action: A, state: State) -> Veto?
  func veto<A: Action<State>>(_ action: A, state: State) -> Veto?
  func willUpdate<A: Action<State>>(_ action: A, state: State)
  /// - Parameter nothing: `nil`, for guards that do not want the old state (HP11).
  func didUpdate<A: Action<State>>(_ action: A, old: State?, orNot nothing: State?, new: State)

  /// Tells the witnesses that an action failed.
  func didFail<A: Action<State>>(_ action: A, error: any Error)
  /// Tells the witnesses that an action was refused.
  func didVeto<A: Action<State>>(_ action: A, _ veto: Veto)
  /// Tells the first witness that a group begins.
  ///
  /// The caller calls the returned closure when the group ends, with the group's error, if any.
  func didBegin<G: Sendable>(_ group: G, isSent: Bool) -> (@Sendable ((any Error)?) -> Void)?
}

/// A guard that is also told about failures, vetoes, and groups before the next action begins, for `TestStore` in the
/// test library.
package protocol EndWitness<State>: Guard {
  /// Tells the witness that an action failed.
  ///
  /// The action has the turn, unless it is an overlapping action.
  func didFail<A: Action<State>>(_ action: A, error: any Error)
  /// Tells the witness that an action was refused.
  func didVeto<A: Action<State>>(_ action: A, _ veto: Veto)
  /// Tells the witness that a group begins.
  ///
  /// The store calls the returned closure when the group ends, with the group's error, if any.
  func didBegin<G: Sendable>(_ group: G, isSent: Bool) -> @Sendable ((any Error)?) -> Void
}

/// A guard and the rest of the list.
final class GuardLink<First: Guard>: Guards {
  typealias State = First.State

  private let first: First
  private let witness: (any EndWitness<State>)?
  private let wantsOldState: Bool
  private let rest: (any Guards<State>)?
  let wantOldState: Bool

  /// - Parameter witness: The guard, if it is a witness, or `nil`.
  init(_ first: First, _ witness: (any EndWitness<State>)?, _ rest: (any Guards<State>)?) {
    self.first = first
    self.witness = witness
    self.rest = rest
    wantsOldState = first.wantsOldState
    wantOldState = wantsOldState || rest?.wantOldState == true
  }

  func admit<A: Action<State>>(_ action: A, state: State) -> Veto? {
    if let veto = veto(action, state: state) { return veto }
    willUpdate(action, state: state)
    return nil
  }

  func veto<A: Action<State>>(_ action: A, state: State) -> Veto? {
    if let veto = first.veto(action, state: state) { return veto.attributed(to: First.self) }
    return rest?.veto(action, state: state)
  }

  func willUpdate<A: Action<State>>(_ action: A, state: State) {
    first.willUpdate(action, state: state)
    rest?.willUpdate(action, state: state)
  }

  func didUpdate<A: Action<State>>(_ action: A, old: State?, orNot nothing: State?, new: State) {
    if wantsOldState {
      first.didUpdate(action, old: old, new: new)
    } else {
      first.didUpdate(action, old: nothing, new: new)
    }
    // On several threads, other tasks can see what only this guard has done.
    SimulationHooks.point()
    rest?.didUpdate(action, old: old, orNot: nothing, new: new)
  }

  func didFail<A: Action<State>>(_ action: A, error: any Error) {
    witness?.didFail(action, error: error)
    rest?.didFail(action, error: error)
  }

  func didVeto<A: Action<State>>(_ action: A, _ veto: Veto) {
    witness?.didVeto(action, veto)
    rest?.didVeto(action, veto)
  }

  func didBegin<G: Sendable>(_ group: G, isSent: Bool) -> (@Sendable ((any Error)?) -> Void)? {
    witness?.didBegin(group, isSent: isSent) ?? rest?.didBegin(group, isSent: isSent)
  }
}
