/// The members of one transaction and how they ended, for guards and streams of transitions.
///
/// A transaction has one only if the store has guards or a stream of transitions.
@usableFromInline final class MemberRecorder<State: Sendable>: Sendable {
  /// A member that has ended, before the end of its transaction is known.
  struct Member: Sendable {
    let action: any Action<State>
    let outcome: ReportedOutcome
    /// The time that the member ran, if a guard requests times.
    let ran: Duration?
  }

  private let guards: GuardChain<State>?
  private let members = Locked<[Member]>([])

  @usableFromInline
  init(_ guards: GuardChain<State>?) {
    self.guards = guards
  }

  /// The members so far, in order.
  var all: [Member] { members.withLock { $0 } }

  /// Asks the guards about a member, and returns the time if a guard requests it.
  @usableFromInline
  func begin<A: Action<State>>(_ action: A, _ draft: State) throws(Veto) -> Duration? {
    if let veto = guards?.admit(action, state: draft) {
      add(action, .vetoed(veto), since: nil)
      throw veto
    }
    return guards?.now()
  }

  @usableFromInline
  func returned<A: Action<State>>(_ action: A, since begun: Duration?) {
    add(action, .committed, since: begun)
  }

  @usableFromInline
  func failed<A: Action<State>>(_ action: A, _ error: any Error, since begun: Duration?) {
    add(action, .failed(error), since: begun)
  }

  private func add<A: Action<State>>(_ action: A, _ outcome: ReportedOutcome, since begun: Duration?) {
    var ran: Duration?
    if let begun, let now = guards?.now() { ran = now - begun }
    members.withLock { $0.append(Member(action: action, outcome: outcome, ran: ran)) }
  }
}

/// A transaction, which may know its members.
protocol RecordedTransaction<State>: Action {
  var recorder: MemberRecorder<State>? { get }
}

extension Action {
  /// The members of a transaction that are part of its commit, in order, if it recorded them.
  @usableFromInline
  func recordedMembers() -> [any Action<State>] {
    let members = (self as? any RecordedTransaction<State>)?.recorder?.all ?? []
    return members.filter { $0.outcome.kind == .committed }.map(\.action)
  }
}
