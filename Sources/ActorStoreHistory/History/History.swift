public import ActorStore
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A guard that records the commits of a store, and takes the store back to them.
///
/// ```swift
/// let history = History<Editor>()
/// let editor = Store(Editor(), guards: [history])
///
/// await editor.dispatch(Insert("a"))
/// await editor.dispatch(history.undo())
/// await editor.dispatch(history.redo())
/// ```
///
/// A move in time is an action. It has its turn like any other action, is decided in that turn, and reaches subscribers as
/// one commit. So two undos that are dispatched at the same time undo two steps. Other guards can refuse a move, and
/// recognize it by `TimeMove`. A move runs no action again.
///
/// A commit is a step to undo. Use `step` or the parameter `coalescing` to make several commits one step. A new commit
/// after an undo drops the undone steps.
///
/// A history belongs to one store. It keeps the actions of its entries, so an action that holds its store keeps the store
/// alive. Recording costs a copy of what each commit changes, because the history keeps the former state. If the state
/// is a collection of 100,000 elements, each commit copies the collection.
public final class History<State: Sendable>: Guard {
  /// Requests the old state, which is the first entry.
  public let wantsOldState = true
  /// The clock that measures how long actions run.
  public let reportClock: (any Clock<Duration>)?

  let scope: UndoScope<State>
  let cost: (@Sendable (State) -> Int)?
  private let date: @Sendable () -> Date
  /// The types of the moves, because looking up a generic type takes longer.
  let moveTypes = (
    ObjectIdentifier(HistoryMove<State>.self), ObjectIdentifier(HistoryJump<State>.self),
    ObjectIdentifier(HistoryRestoration<State>.self)
  )
  private let coalescing: (@Sendable (_ last: HistoryEntry<State>, _ new: HistoryEntry<State>) -> Bool)?
  private let onDrop: (@Sendable ([HistoryEntry<State>]) -> Void)?
  let shared: Mutex<SharedHistory>

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - maxCount: The largest number of entries, including the state before the oldest step. At least two.
  ///   - maxCost: The largest cost of all entries.
  ///   - cost: A closure that returns the cost of a state, such as its size in bytes. Each commit calls it.
  ///   - scope: The part of the state that moves restore.
  ///   - clock: The clock that measures how long actions run, or `nil` to measure nothing.
  ///   - date: A closure that returns the current date.
  ///   - coalescing: A closure that returns whether a commit belongs to the step of the last one, such as the next
  ///     letter of a word. It is called in the turn of the action, so keep it short.
  ///   - onDrop: A closure that gets dropped entries. It is called in the turn of the action that drops them.
  public init(
    maxCount: Int = 1_000,
    maxCost: Int = .max,
    cost: (@Sendable (State) -> Int)? = nil,
    scope: UndoScope<State> = .whole,
    clock: (any Clock<Duration>)? = ContinuousClock(),
    date: @escaping @Sendable () -> Date = { Date() },
    coalescing: (@Sendable (_ last: HistoryEntry<State>, _ new: HistoryEntry<State>) -> Bool)? = nil,
    onDrop: (@Sendable ([HistoryEntry<State>]) -> Void)? = nil
  ) {
    precondition(
      maxCount > 1,
      "ActorStoreHistory: a history of \(maxCount) entries can undo nothing. Pass at least two.")
    reportClock = clock
    (self.cost, self.scope, self.date, self.coalescing, self.onDrop) = (cost, scope, date, coalescing, onDrop)
    shared = Mutex(SharedHistory(stateMachine: HistoryStateMachine(maxCount: maxCount, maxCost: maxCost)))
  }

  // MARK: Recording

  /// Records a commit, or ends a move.
  public func didUpdate<A: Action<State>>(_ action: A, old: State?, new: State) {
    if let move = move(action), endMove(dropsLater: move.dropsLater) { return }
    if let restoration = restoration(action) { return endRestoration(restoration) }
    let (isIrreversible, hasBegun) = facts(A.self)
    if !hasBegun, let old { begin(with: old) }
    record(HistoryContent(action, new), after: old, irreversible: isIrreversible)
  }

  /// Records the state before the first commit.
  private func begin(with state: State) {
    let record = HistoryRecord(date: date(), cost: cost?(state) ?? 0, content: HistoryContent<State>(nil, state))
    shared.withLock { $0.stateMachine.begin(record) }
  }

  /// Records a commit.
  ///
  /// The closures of the client are called, and states are released, without the lock. No other commit comes in between,
  /// because the action has the turn.
  private func record(_ content: HistoryContent<State>, after old: State?, irreversible isIrreversible: Bool) {
    let ids = CurrentStep.ids
    let stepID = ids.isEmpty ? nil : ids[ObjectIdentifier(self)]
    var new = HistoryRecord(
      date: date(), cost: cost?(content.state) ?? 0, isIrreversible: isIrreversible, content: content)
    var (isChange, isCoalesced) = (true, false)
    if scope.isChange != nil || coalescing != nil {
      let (current, revision, canJoin, hasMoved) = shared.withLock {
        ($0.stateMachine.current, $0.stateMachine.revision, $0.stateMachine.canJoin, $0.stateMachine.hasMoved)
      }
      guard let current else { return }
      // A move restores a part of the entry only, so the action did not start from the entry.
      if hasMoved, scope.isChange != nil, let old { new.start = HistoryContent<State>(nil, old) }
      let last = HistoryEntry<State>(current)
      (new.revision, new.step) = (revision + 1, last.step)
      isChange = scope.isChange.map { $0(last.state, content.state) } ?? true
      isCoalesced = isChange && canJoin && coalescing.map { $0(last, HistoryEntry<State>(new)) } ?? false
    }
    let (dropped, status, stale) = shared.withLock { shared in
      let continues = isCoalesced || shared.stateMachine.continues(stepID)
      let part: HistoryStateMachine.Part = !isChange ? .ofNoStep : continues ? .ofTheLastStep : .ofItsOwn
      return (shared.stateMachine.record(part, stepID: stepID, new), shared.status, shared.approved.take())
    }
    withExtendedLifetime(stale) { publish(status, dropped) }
  }

  /// Whether actions of a type are irreversible, and whether there is an entry.
  private func facts<A: Action<State>>(_ type: A.Type) -> (isIrreversible: Bool, hasBegun: Bool) {
    let id = ObjectIdentifier(type)
    let (known, hasBegun) = shared.withLock { ($0.areIrreversible[id], !$0.stateMachine.entries.isEmpty) }
    if let known { return (known, hasBegun) }
    let isIrreversible = type is any IrreversibleAction.Type
    shared.withLock { $0.areIrreversible[id] = isIrreversible }
    return (isIrreversible, hasBegun)
  }

  /// Records how long an action ran.
  public func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    guard case .committed = report.outcome else { return }
    let isIrreversible = report.member != nil && facts(A.self).isIrreversible
    guard report.ran != nil || isIrreversible else { return }
    let (ran, revision, isMember) = (report.ran, report.revision, report.member != nil)
    let status = shared.withLock { shared in
      if let ran, !isMember { shared.stateMachine.setDuration(ran, ofCommit: revision) }
      if isIrreversible { shared.stateMachine.setIrreversible(commit: revision) }
      return isIrreversible ? shared.status : nil
    }
    if let status { publish(status, []) }
  }

  func publish(_ store: Store<HistoryStatus>?, _ dropped: [HistoryRecord]) {
    // The action reads the status in its turn. So an older status never follows a newer one.
    store?.send { status in status = self.shared.withLock { $0.stateMachine.status } }
    if !dropped.isEmpty { onDrop?(dropped.map { HistoryEntry($0) }) }
  }

  // MARK: Moving

  /// Refuses a move that is impossible.
  public func veto<A: Action<State>>(_ action: A, state: State) -> Veto? {
    guard let move = move(action) else { return nil }
    // The former target is released without the lock.
    let (veto, stale) = shared.withLock { shared -> (Veto?, SharedHistory.Target?) in
      let stale = shared.approved.take()
      do throws(HistoryStateMachine.Refusal) {
        let index = try shared.stateMachine.target(of: move)
        shared.approved = .success(shared.stateMachine.entries[index])
      } catch {
        switch error {
        case .nothingToUndo: return (Veto("There is nothing to undo."), stale)
        case .nothingToRedo: return (Veto("There is nothing to redo."), stale)
        case .irreversible(let revision): return (Veto("The commit \(revision) cannot be undone."), stale)
        // The action fails with it.
        case .missing(let error): shared.approved = .failure(error)
        }
      }
      return (nil, stale)
    }
    return withExtendedLifetime(stale) { veto }
  }

  /// Restores the target of the move that has the turn.
  func restore(_ state: inout State) throws(HistoryError) {
    guard let approved = shared.withLock({ $0.approved }) else {
      preconditionFailure(
        "ActorStoreHistory: a move of a history was dispatched to a store without this history. Pass the history to the "
          + "initializer of the store, as one of its guards.")
    }
    scope.restore(&state, HistoryEntry<State>(try approved.get()).state)
  }

  /// Moves to the target, or returns `false` if its entry has been dropped.
  private func endMove(dropsLater: Bool) -> Bool {
    let (target, dropped, status) = shared.withLock { shared in
      let target = shared.approved.take()
      guard case .success(let entry)? = target else { return (target, [HistoryRecord]?.none, shared.status) }
      return (target, shared.stateMachine.move(to: entry.revision, dropsLater: dropsLater), shared.status)
    }
    guard let dropped else { return false }
    withExtendedLifetime(target) { publish(status, dropped) }
    return true
  }
}
