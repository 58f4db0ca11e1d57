public import ActorStore
import Synchronization

/// What a history contains, and what it can do.
extension History {
  /// Whether there is a step to undo that contains no irreversible action.
  ///
  /// The cost is logarithmic in the number of entries. If the history has an irreversible entry, the cost also grows
  /// linearly with the length of the step.
  public var canUndo: Bool { shared.withLock { $0.stateMachine.status.canUndo } }

  /// Whether there is a step to redo.
  public var canRedo: Bool { shared.withLock { $0.stateMachine.status.canRedo } }

  /// The entries and the position among them.
  ///
  /// The cost is linear in the number of entries.
  public var timeline: HistoryTimeline<State> {
    let (records, position) = shared.withLock { ($0.stateMachine.entries.all, $0.stateMachine.position) }
    return HistoryTimeline(entries: records.map { HistoryEntry($0) }, position: position)
  }

  /// A store with what the history can do, for buttons and screens.
  ///
  /// ```swift
  /// let canUndo = await history.status.select(\.canUndo).observable
  /// ```
  ///
  /// Do not change its state. Until you first use it, the history does not compute it.
  public var status: Store<HistoryStatus> {
    let new = Store(shared.withLock { $0.stateMachine.status })
    let status = shared.withLock { shared in
      let status = shared.status ?? new
      shared.status = status
      return status
    }
    // A commit may have come in between.
    if status === new { publish(status) }
    return status
  }

  /// A stream of the entries and the position among them, starting with the current ones.
  ///
  /// If entries change while the consumer is busy, it gets only the newest ones. The stream retains the history, and
  /// does not end when the store is released.
  public var timelines: some AsyncSequence<HistoryTimeline<State>, Never> & Sendable {
    status.states(bufferingPolicy: .bufferingNewest(1)).map { _ in self.timeline }
  }

  /// Returns a description of the difference between the states of two entries, or `nil` if they are equal.
  ///
  /// - Parameters:
  ///   - old: The revision of the first entry.
  ///   - new: The revision of the second entry.
  /// - Throws: An error if there is no such entry.
  public func difference(from old: UInt64, to new: UInt64) throws(HistoryError) -> String? {
    Dump.difference(from: try state(of: old), to: try state(of: new))
  }

  private func state(of revision: UInt64) throws(HistoryError) -> State {
    HistoryEntry<State>(try shared.withLock { $0.stateMachine.entry(of: revision) }.get()).state
  }
}
