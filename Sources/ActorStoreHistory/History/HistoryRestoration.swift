public import ActorStore
import Synchronization

/// The action that replaces the entries of a history, and restores the state at the new position.
///
/// You get it from ``History/restore(_:)``.
public struct HistoryRestoration<State: Sendable>: Mutation, TimeMove, CustomStringConvertible {
  /// Restoring has no result.
  public typealias Output = Void
  /// The error for a timeline without entries.
  public typealias Failure = HistoryError

  let history: History<State>
  let timeline: HistoryTimeline<State>

  /// Restores the state.
  ///
  /// - Throws: An error if the timeline has no entries.
  public func run(_ state: inout State) throws(HistoryError) {
    try history.restore(&state)
  }

  /// The entry to go to.
  var target: SharedHistory.Target { timeline.current.map { .success($0.record) } ?? .failure(.empty) }

  /// The word `restore` and the number of entries.
  public var description: String { "restore(\(timeline.entries.count) entries)" }
}

extension History {
  /// Returns the action that replaces all entries with those of a timeline, such as an imported one.
  ///
  /// ```swift
  /// try await store.dispatch(history.restore(timeline))
  /// ```
  ///
  /// The action restores the state of the timeline's current entry, within the scope of the history. The limits of the
  /// history apply to the new entries. Later commits get larger revisions than the new entries. The action fails if the
  /// timeline has no entries. Irreversible commits do not prevent it, because it does not undo them. In a transaction,
  /// it restores only the state, and the commit is a new entry.
  ///
  /// - Parameter timeline: The entries and the position.
  public func restore(_ timeline: HistoryTimeline<State>) -> HistoryRestoration<State> {
    HistoryRestoration(history: self, timeline: timeline)
  }

  /// Replaces the entries, or returns `false` if the action has not run.
  func endRestoration(_ restoration: HistoryRestoration<State>) -> Bool {
    let records = restoration.timeline.entries.map { entry in
      var record = entry.record
      record.cost = cost?(entry.state) ?? 0
      return record
    }
    let effects = shared.withLock { shared -> SharedHistory.Effects? in
      if shared.restored == nil { return nil }
      let dropped = shared.stateMachine.restore(records, position: restoration.timeline.position)
      return shared.effects(dropped)
    }
    guard let effects else { return false }
    hasBegun.store(true, ordering: .relaxed)
    publish(effects)
    return true
  }
}
