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
/// A middleware that changes states also changes the states that moves restore, so let it skip each `TimeMove`.
///
/// A history belongs to one store. It keeps the actions of its entries. If an action or a transaction captures the
/// store or the history, the captured object stays alive until the history drops the entry. Each commit copies the
/// parts of the state that it changes, because the history keeps the former state. If the state is a collection of
/// 100,000 elements, each commit copies the collection.
public final class History<State: Sendable>: Guard {
  /// Requests the old state, which is the first entry.
  public let wantsOldState = true
  /// The clock that measures how long actions run.
  public let reportClock: (any Clock<Duration>)?

  let scope: UndoScope<State>
  let cost: (@Sendable (State) -> Int)?
  private let date: @Sendable () -> Date
  /// The types of the moves, stored because looking up a generic type takes longer.
  let moveTypes = (
    ObjectIdentifier(HistoryMove<State>.self), ObjectIdentifier(HistoryJump<State>.self),
    ObjectIdentifier(HistoryRestoration<State>.self)
  )
  private let coalescing: (@Sendable (_ last: HistoryEntry<State>, _ new: HistoryEntry<State>) -> Bool)?
  private let onDrop: (@Sendable ([HistoryEntry<State>]) -> Void)?
  /// The key of the history's steps.
  let id = CurrentStep.newHistoryID()
  /// Whether each commit is compared with the current entry.
  private let comparesEntries: Bool
  /// Whether there is an entry.
  ///
  /// Only the action that has the turn changes this.
  let hasBegun = Atomic(false)
  /// Whether the newest move has a target.
  ///
  /// Only an action that begins or commits changes this.
  private let hasTarget = Atomic(false)
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
    if maxCount < 2 {
      fatalError("ActorStoreHistory: a history of \(maxCount) entries cannot undo anything. Pass at least two.")
    }
    reportClock = clock
    (self.cost, self.scope, self.date, self.coalescing, self.onDrop) = (cost, scope, date, coalescing, onDrop)
    comparesEntries = scope.isChange != nil || coalescing != nil
    shared = Mutex(SharedHistory(stateMachine: HistoryStateMachine(maxCount: maxCount, maxCost: maxCost)))
  }

  // MARK: Recording

  /// Records a commit, or ends a move.
  public func didUpdate<A: Action<State>>(_ action: A, old: State?, new: State) {
    var (move, restoration): (HistoryStateMachine.Move?, HistoryRestoration<State>?)
    if isMove(A.self) {
      (move, restoration) = (self.move(action), self.restoration(action))
      if let move, endMove(dropsLater: move.dropsLater) { return }
      if let restoration, endRestoration(restoration) { return }
    }
    if !hasBegun.load(ordering: .relaxed) { begin(with: old) }
    // A move that has not run would hold the history.
    let isOwn = move != nil || restoration != nil
    let content = isOwn ? HistoryContent<State>(nil, new, label: "\(action)") : HistoryContent<State>(action, new)
    record(A.self, after: old, new, HistoryRecord(date: date(), cost: cost?(new) ?? 0, content: content))
  }

  /// Records the state before the first commit.
  private func begin(with state: State?) {
    guard let state else { return }
    let record = HistoryRecord(date: date(), cost: cost?(state) ?? 0, content: HistoryContent<State>(nil, state))
    shared.withLock { $0.stateMachine.begin(record) }
    hasBegun.store(true, ordering: .relaxed)
  }

  /// Records a commit.
  ///
  /// Calls the client's closures and releases states without the lock. No other commit comes in between, because the
  /// action has the turn.
  private func record<A: Action<State>>(
    _ type: A.Type, after old: State?, _ new: State, _ record: consuming HistoryRecord
  ) {
    let ids = CurrentStep.ids
    let stepID = ids.isEmpty ? nil : ids[id]
    let part = comparesEntries ? compare(&record, after: old, new) : nil
    while true {
      let effects = shared.withLock { shared -> SharedHistory.Effects? in
        guard let isIrreversible = shared.irreversibleTypes.contains(ObjectIdentifier(type)) else { return nil }
        record.isIrreversible = isIrreversible
        let part = part ?? (shared.stateMachine.continues(stepID) ? .ofTheLastStep : .ofItsOwn)
        let dropped = shared.stateMachine.record(part, stepID: stepID, record)
        return shared.effects(dropped)
      }
      if let effects { return publish(effects) }
      learn(type)
    }
  }

  /// Compares a commit with the current entry.
  ///
  /// - Returns: The commit's relation to the steps, or `nil` if only the ID of its step decides it.
  private func compare(
    _ record: inout HistoryRecord, after old: State?, _ new: State
  ) -> HistoryStateMachine.Part? {
    let (current, revision, canJoin, startsElsewhere) = shared.withLock {
      ($0.stateMachine.current, $0.stateMachine.revision, $0.stateMachine.canJoin, $0.stateMachine.startsElsewhere)
    }
    guard let current else { return nil }
    let last = HistoryEntry<State>(current)
    (record.revision, record.step) = (revision + 1, last.step)
    if let isChange = scope.isChange {
      if startsElsewhere, let old { record.start = HistoryContent<State>(nil, old) }
      if !isChange(last.state, new) { return .ofNoStep }
    }
    guard let coalescing, canJoin, coalescing(last, HistoryEntry<State>(record)) else { return nil }
    return .ofTheLastStep
  }

  /// Finds out whether actions of a type are irreversible.
  private func learn<A: Action<State>>(_ type: A.Type) {
    let isIrreversible = type is any IrreversibleAction.Type
    shared.withLock { $0.irreversibleTypes.set(ObjectIdentifier(type), isIrreversible: isIrreversible) }
  }

  /// Records how long an action ran, and whether a member of a transaction is irreversible.
  public func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
    guard case .committed = report.outcome else { return }
    if report.member != nil { return didEndMember(A.self, report.revision) }
    guard let ran = report.ran else { return }
    let revision = report.revision
    shared.withLock { $0.stateMachine.setDuration(ran, ofCommit: revision) }
  }

  private func didEndMember<A: Action<State>>(_ type: A.Type, _ revision: UInt64) {
    guard type is any IrreversibleAction.Type else { return }
    let status = shared.withLock { shared in
      shared.stateMachine.setIrreversible(commit: revision)
      return shared.status
    }
    publish(status)
  }

  func publish(_ effects: SharedHistory.Effects) {
    publish(effects.status)
    if effects.hasTarget { ask(nil) }
    if !effects.dropped.isEmpty, let onDrop { onDrop(effects.dropped.all.map { HistoryEntry($0) }) }
  }

  func publish(_ store: Store<HistoryStatus>?) {
    // The action reads the status in its turn. So an older status never follows a newer one.
    store?.send { status in status = self.shared.withLock { $0.stateMachine.status } }
  }

  // MARK: Moving

  /// Refuses a move that is impossible.
  public func veto<A: Action<State>>(_ action: A, state: State) -> Veto? {
    if !isMove(A.self) { return nil }
    if let move = move(action) {
      switch shared.withLock({ $0.stateMachine.target(of: move) }) {
      case .success(let record): ask(.success(record))
      // The action fails with the error.
      case .failure(.missing(let error)): ask(.failure(error))
      case .failure(let refusal):
        ask(nil)
        return refusal.veto
      }
    } else if let restoration = restoration(action) {
      ask(restoration.target)
    }
    return nil
  }

  /// Lets a move run after all guards have admitted it, or forgets the target of an earlier move.
  public func willUpdate<A: Action<State>>(_ action: A, state: State) {
    if isMove(A.self), move(action) != nil || restoration(action) != nil {
      shared.withLock { $0.admit() }
    } else {
      ask(nil)
    }
  }

  /// Replaces the target of the newest move, and releases the former target without the lock.
  private func ask(_ target: SharedHistory.Target?) {
    if target == nil && !hasTarget.load(ordering: .relaxed) { return }
    hasTarget.store(target != nil, ordering: .relaxed)
    withExtendedLifetime(shared.withLock { $0.ask(target) }) {}
  }

  /// Restores the target of the move that has the turn.
  func restore(_ state: inout State) throws(HistoryError) {
    guard let target = shared.withLock({ $0.restore() }) else {
      fatalError(
        "ActorStoreHistory: a move of a history ran in a store without this history, or as a call of `run` inside "
          + "another action. Pass the history to the initializer of the store, as one of its guards. Dispatch the move, "
          + "or run it as a member of a transaction.")
    }
    scope.restore(&state, HistoryEntry<State>(try target.get()).state)
  }

  /// Moves to the target, or returns `false` if the move has not run, or if its entry has been dropped.
  private func endMove(dropsLater: Bool) -> Bool {
    let effects = shared.withLock { shared -> SharedHistory.Effects? in
      guard case .success(let entry)? = shared.restored else { return nil }
      let dropped = shared.stateMachine.move(to: entry.revision, dropsLater: dropsLater)
      return dropped.map { shared.effects($0) }
    }
    if let effects { publish(effects) }
    return effects != nil
  }
}
