/// Groups, which hold no turn.
extension TurnQueue {
  /// A group that has begun.
  @usableFromInline struct GroupEntry: Sendable {
    let number: UInt64
    /// The ID of the group in call chains.
    @usableFromInline let turn: TurnID
    /// Whether the current code is already nested in a group with the same ID.
    @usableFromInline let isNested: Bool
  }

  /// Begins a group, or returns `nil` if the store is closed and the call is not nested in a running group.
  ///
  /// - Parameter own: The ID of a group that runs in a task of its own, nested in nothing.
  @usableFromInline
  func beginGroup(_ label: ActionLabel, as own: TurnID? = nil) -> GroupEntry? {
    point()
    let turns = CallChain.isEmptyHere ? [] : CallChain.current.turns
    touch()
    return stateMachine.withLock { stateMachine in
      let outer = turns.isEmpty ? nil : stateMachine.groups.first(in: turns)
      if stateMachine.isClosed && outer == nil { return nil }
      let number = stateMachine.nextNumber()
      let turn = own ?? outer ?? TurnID(store: id.ofGroups, ticket: TicketNumber(number: number))
      stateMachine.groups.begin(number, label, as: turn)
      return GroupEntry(number: number, turn: turn, isNested: own == nil && outer != nil)
    }
  }

  /// Records how to cancel a group's own task.
  func setCancel(_ entry: GroupEntry, _ cancel: @escaping @Sendable () -> Void) {
    stateMachine.withLock { $0.groups.setCancel(entry.number, cancel) }
  }

  @usableFromInline
  func endGroup(_ entry: GroupEntry) {
    touch()
    let ended = stateMachine.withLock { $0.groups.end(entry.number) }
    withExtendedLifetime(ended) {}
    noWaiterRemains()
    pointAfterCall()
  }

  /// Cancels the tasks of sent groups.
  func cancelSentGroups() {
    for group in stateMachine.withLock({ $0.groups.all }) { group.cancel?() }
  }

  /// Whether the current code is nested in a running group of this store.
  var isOfGroup: Bool {
    if CallChain.isEmptyHere { return false }
    return stateMachine.withLock { Self.isOfGroup($0.groups) }
  }

  /// Whether the current code is nested in a running group.
  ///
  /// Called under the lock. Reading the library's own task-locals runs no user code.
  static func isOfGroup(_ groups: RunningGroups) -> Bool {
    !CallChain.isEmptyHere && groups.first(in: CallChain.current.turns) != nil
  }
}
