/// The guards of a store as one: to be called by who has the turn, and without a lock.
///
/// A list of objects and not an array of guards: to call a guard that lies in an array copies it each time, which for
/// three hooks costs as much as a dispatch.
@usableFromInline protocol Guards<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  /// Whether one of them wants to know the state before.
  var wantOldState: Bool { get }

  /// Asks all guards and, if none vetoes the action, tells all of them that it is about to run.
  func admit<A: Action<State>>(_ action: A, state: State) -> Veto?
  func veto<A: Action<State>>(_ action: A, state: State) -> Veto?
  func willUpdate<A: Action<State>>(_ action: A, state: State)
  /// `nothing` is nil, for guards that do not want the old state: to make one here, where nothing is known of the
  /// state, is not for free.
  func didUpdate<A: Action<State>>(_ action: A, old: State?, orNot nothing: State?, new: State)
  func didFail<A: Action<State>>(_ action: A, error: any Error, state: State)

  /// A member of a transaction has thrown: not the end of an action.
  func memberDidFail<A: Action<State>>(_ action: A, error: any Error, state: State)
  /// One of the guards has refused an action, which is its end.
  func didVeto<A: Action<State>>(_ action: A, _ veto: Veto)
  /// A group begins; what is returned is to be called with the error it ends with, if any.
  func didBegin<G: ActionGroup<State>>(_ group: G, isSent: Bool) -> (@Sendable ((any Error)?) -> Void)?
}

/// A guard that is told of every end, also those that are no guard's business: of the tests' store.
package protocol EndWitness<State>: Guard {
  /// A guard has refused an action.
  func didVeto<A: Action<State>>(_ action: A, _ veto: Veto)
  /// A group begins, dispatched or sent; what is returned is called with the error it ends with, if any.
  func didBegin<G: ActionGroup<State>>(_ group: G, isSent: Bool) -> @Sendable ((any Error)?) -> Void
}

/// Nil when there are none.
func chain<State>(_ guards: [any Guard<State>]) -> (any Guards<State>)? {
  guards.reversed().reduce(nil) { rest, first in link(first, rest) }
}

private func link<First: Guard>(_ first: First, _ rest: (any Guards<First.State>)?) -> any Guards<First.State> {
  GuardLink(first, rest)
}

/// A guard, and those after it.
private final class GuardLink<First: Guard>: Guards {
  typealias State = First.State

  private let first: First
  private let witness: (any EndWitness<State>)?
  private let wantsOldState: Bool
  private let rest: (any Guards<State>)?
  let wantOldState: Bool

  init(_ first: First, _ rest: (any Guards<State>)?) {
    self.first = first
    self.rest = rest
    witness = first as? any EndWitness<State>
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
    rest?.didUpdate(action, old: old, orNot: nothing, new: new)
  }

  func didFail<A: Action<State>>(_ action: A, error: any Error, state: State) {
    first.didFail(action, error: error, state: state)
    rest?.didFail(action, error: error, state: state)
  }

  func memberDidFail<A: Action<State>>(_ action: A, error: any Error, state: State) {
    if witness == nil { first.didFail(action, error: error, state: state) }
    rest?.memberDidFail(action, error: error, state: state)
  }

  func didVeto<A: Action<State>>(_ action: A, _ veto: Veto) {
    witness?.didVeto(action, veto)
    rest?.didVeto(action, veto)
  }

  func didBegin<G: ActionGroup<State>>(_ group: G, isSent: Bool) -> (@Sendable ((any Error)?) -> Void)? {
    witness?.didBegin(group, isSent: isSent) ?? rest?.didBegin(group, isSent: isSent)
  }
}
