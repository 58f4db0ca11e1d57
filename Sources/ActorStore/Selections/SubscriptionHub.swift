/// The subscriptions to one store's states and to selections of them.
///
/// Streams hold the hub, never the store (P14). The store's lock may be held while the hub's parts take their own, but
/// never the reverse.
@usableFromInline final class SubscriptionHub: Sendable {
  @usableFromInline let states: Broadcast
  let selections: SharedSelections

  init(simulation: SimulationHooks?) {
    states = Broadcast(simulation: simulation)
    selections = SharedSelections(simulation: simulation)
  }

  var isEmpty: Bool { states.isEmpty && selections.isEmpty }

  /// Ends each stream after it delivers its remaining elements, because there will be no more states.
  ///
  /// - Parameter groupsOnly: Whether to end only the streams in running groups, because only these groups can cause
  ///   more states.
  func finish(groupsOnly: Bool = false) {
    states.finish(groupsOnly: groupsOnly)
    for selection in groupsOnly ? selections.all : selections.finish() {
      selection.existingBroadcast?.finish(groupsOnly: groupsOnly)
    }
  }

  /// Begins a commit, and returns whether the caller must then call `select(from:at:)`.
  ///
  /// Called under the store's lock.
  @usableFromInline
  func beginCommit() -> Bool { selections.beginCommit() }

  /// Brings the selections up to date with a commit, and offers the changed values to their consumers.
  ///
  /// Called with the turn and without a lock.
  @usableFromInline
  func select(from state: AnyPublished, at revision: UInt64) { selections.commit(state, at: revision) }

  // MARK: Inspecting

  var selectionBroadcasts: [Broadcast] { selections.all.compactMap(\.existingBroadcast) }

  /// The counts of each subscriber, with those of states first.
  var counts: [SubscriberCounts] {
    states.counts + selectionBroadcasts.flatMap { $0.counts }
  }
}
