/// The subscriptions to one store's states and to selections of them.
///
/// It is the shell around `SubscriptionHubStateMachine`. Streams hold the hub, never the store (P14). The store's lock
/// may be held while the hub takes its own, but never the reverse.
@usableFromInline final class SubscriptionHub: Sendable {
  /// The selections that existed at the time of a commit, and that it must evaluate.
  @usableFromInline struct Selected: Sendable {
    fileprivate var selections = KeyedArray<ObjectIdentifier, SharedSelection>()

    @usableFromInline init() {}

    @usableFromInline var isEmpty: Bool { selections.isEmpty }
  }

  @usableFromInline let states: Broadcast
  private let stateMachine = Locked(SubscriptionHubStateMachine())

  init(simulation: SimulationHooks?) {
    states = Broadcast(simulation: simulation)
  }

  var isEmpty: Bool { states.isEmpty && stateMachine.withLock { $0.all.isEmpty } }

  /// Ends each stream after it delivers its remaining elements, because there will be no more states.
  ///
  /// - Parameter groupsOnly: Whether to end only the streams in running groups, because only these groups can cause
  ///   more states.
  func finish(groupsOnly: Bool = false) {
    states.finish(groupsOnly: groupsOnly)
    let selections = stateMachine.withLock { groupsOnly ? $0.all.values : $0.finish() }
    for shared in selections { shared.selection.broadcast.finish(groupsOnly: groupsOnly) }
  }

  // MARK: Publishing

  /// The selections to evaluate after a commit.
  ///
  /// Called under the store's lock.
  @usableFromInline
  func selected() -> Selected {
    var selected = Selected()
    selected.selections = stateMachine.withLock { $0.all }
    return selected
  }

  /// Evaluates each selection once and offers the values to its subscribers.
  ///
  /// Called with the turn and without a lock.
  @usableFromInline
  func evaluate(_ selected: Selected, _ state: AnyPublished, at revision: UInt64) {
    for index in 0..<selected.selections.count {
      selected.selections[index].value.selection.evaluate(state, at: revision)
    }
  }

  // MARK: Selections

  /// Finds the selection with an equal key, and also returns the candidates that it compared.
  func find(_ key: SelectionKey) -> (found: SharedSelection?, compared: [SharedSelection]) {
    let candidates = stateMachine.withLock { $0.candidates(key) }
    return (candidates.first { $0.key?.matches(key) == true }, candidates)
  }

  /// Adds a new selection, or verifies that a known one still exists.
  ///
  /// Called under the store's lock.
  ///
  /// Returns `false` if the selections have changed since the caller compared them.
  func admit(_ shared: SharedSelection, isNew: Bool, after compared: [SharedSelection]) -> Bool {
    stateMachine.withLock { stateMachine in
      isNew ? stateMachine.add(shared, after: compared) : stateMachine.contains(shared.selection)
    }
  }

  /// Ends the streams of a selection that was added after the hub finished.
  func finishIfLate(_ selection: any AnySelection) {
    if stateMachine.withLock({ $0.isFinished }) { selection.broadcast.finish() }
  }

  /// Removes a selection if it has no subscribers.
  ///
  /// Called under the store's lock. The caller releases the result after unlocking.
  func removeIfUnwatched(_ selection: any AnySelection) -> SharedSelection? {
    stateMachine.withLock { $0.removeIfUnwatched(selection) }
  }

  // MARK: Inspecting

  var selectionBroadcasts: [Broadcast] { stateMachine.withLock { $0.all.values }.map(\.selection.broadcast) }

  /// The counts of each subscriber, with those of states first.
  var counts: [SubscriberCounts] {
    states.counts + selectionBroadcasts.flatMap { $0.counts }
  }
}
