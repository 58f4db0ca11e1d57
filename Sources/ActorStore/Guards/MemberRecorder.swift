/// The members of one run of a transaction and how they ended, for guards and streams of transitions.
///
/// It also runs them inside the middleware. The store that runs the transaction creates the recorder if the store has
/// guards, middleware, or a stream of transitions.
@usableFromInline final class MemberRecorder<State: Sendable>: Sendable {
  /// A member that has ended, before the end of its transaction is known.
  struct Member: Sendable {
    let action: any Action<State>
    var outcome: ReportedOutcome
    /// The time that the member ran, if a guard requests times.
    let ran: Duration?
  }

  private let guards: GuardChain<State>?
  /// Whether a guard or a stream will ask for the members.
  private let keepsMembers: Bool
  private let members = Locked<[Member]>([])

  @usableFromInline
  init(_ guards: GuardChain<State>?, keepsMembers: Bool) {
    self.guards = guards
    self.keepsMembers = keepsMembers
  }

  /// The members so far, in order.
  var all: [Member] { members.withLock { $0 } }

  /// The members that are part of the commit, in order.
  @usableFromInline
  var committed: [any Action<State>] { all.filter { $0.outcome.kind == .committed }.map(\.action) }

  /// The number of members so far.
  @usableFromInline
  var count: Int { members.withLock { $0.count } }

  /// Records that the members from an index on were rolled back, because they belong to an inner transaction that
  /// failed.
  @usableFromInline
  func undo(from first: Int) {
    members.withLock { members in
      for index in first..<members.count where members[index].outcome.kind == .committed {
        members[index].outcome = .undone
      }
    }
  }

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

  /// Records a member that failed or was refused by middleware, and returns its error or veto.
  @usableFromInline
  func stopped<A: Action<State>>(_ action: A, _ stop: Stop<A.Failure>, since begun: Duration?) -> any Error {
    switch stop {
    case .failed(let error):
      add(action, .failed(error), since: begun)
      return error
    case .vetoed(let veto): return vetoed(action, veto)
    }
  }

  /// Records a member that middleware refused, and returns the veto.
  @usableFromInline
  func vetoed<A: Action<State>>(_ action: A, _ veto: Veto) -> Veto {
    add(action, .vetoed(veto), since: nil)
    return veto
  }

  // MARK: Running members

  /// The context that all calls to `next` share, or `nil` without middleware.
  @usableFromInline
  var context: MiddlewareContext? { guards?.context }

  /// Whether the middleware may suspend around a mutation.
  @usableFromInline
  var suspendsMutations: Bool { guards?.suspendsMutations == true }

  /// Whether a member that cannot fail may be refused after it has changed the draft.
  @usableFromInline
  var mustRestore: Bool { guards?.editsInPlace == false }

  /// Runs a member that does not suspend, inside the middleware.
  @usableFromInline
  func apply<A: Action<State>>(_ action: A, _ draft: inout State) throws(Stop<A.Failure>) -> A.Output {
    if guards == nil { return try action._applyStopping(&draft) }
    return try guards!.apply(action, &draft)
  }

  /// Runs a member that may suspend, inside the middleware.
  func run<A: Action<State>>(_ action: A, _ draft: inout State) async throws(Stop<A.Failure>) -> A.Output {
    try await guards!.run(action, &draft)
  }

  private func add<A: Action<State>>(_ action: A, _ outcome: ReportedOutcome, since begun: Duration?) {
    if !keepsMembers { return }
    var ran: Duration?
    if let begun, let now = guards?.now() { ran = now - begun }
    members.withLock { $0.append(Member(action: action, outcome: outcome, ran: ran)) }
  }
}
