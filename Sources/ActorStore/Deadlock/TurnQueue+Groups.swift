/// Groups, which hold no turn.
extension TurnQueue {
  /// A group that has begun.
  @usableFromInline struct GroupEntry: Sendable {
    @usableFromInline let number: UInt64
    /// The turn in which to nest the group, or `nil` if the current code is already nested in it.
    @usableFromInline let turn: TurnID?
  }

  /// Begins a group, or returns `nil` if the store is closed to it.
  ///
  /// - Parameter turn: The ID of a group that runs in a task of its own, nested in nothing.
  @usableFromInline
  func beginGroup(_ label: ActionLabel, as turn: TurnID? = nil) -> GroupEntry? {
    let turns = CallChain.isEmptyHere ? [] : CallChain.current.turns
    return stateMachine.withLock { stateMachine in
      let outer = stateMachine.groups.first(in: turns)
      if stateMachine.isClosed && outer == nil { return nil }
      var own: TurnID?
      let number = stateMachine.groups.begin(label) { number in
        if turn == nil, let outer { return outer }
        let turn = turn ?? TurnID(store: id.ofGroups, ticket: TicketNumber(number: number))
        own = turn
        return turn
      }
      return GroupEntry(number: number, turn: own)
    }
  }

  /// Sets the way to cancel a group's own task.
  func setCancel(_ number: UInt64, _ cancel: @escaping @Sendable () -> Void) {
    stateMachine.withLock { $0.groups.setCancel(number, cancel) }
  }

  @usableFromInline
  func endGroup(_ number: UInt64) {
    let ended = stateMachine.withLock { $0.groups.end(number) }
    withExtendedLifetime(ended) {}
    noWaiterRemains()
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
