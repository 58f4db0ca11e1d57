/// The subscriptions to one store's states, transitions, and selections.
///
/// Streams hold the hub, never the store (P14). The store's lock may be held while the hub's parts take their own, but
/// never the reverse.
@usableFromInline final class SubscriptionHub: Sendable {
  @usableFromInline let states: Broadcast
  let selections: SharedSelections
  private let existingTransitions = Locked<TransitionSeries?>(nil)
  private let queue: ObjectIdentifier
  private let simulation: SimulationHooks?

  init(of queue: TurnQueue) {
    self.queue = ObjectIdentifier(queue)
    simulation = queue.simulation
    states = Broadcast(simulation: simulation)
    selections = SharedSelections(of: self.queue, simulation: simulation)
  }

  /// Whether no commit has to be published.
  ///
  /// While the newest state is kept for transitions, commits must replace it, even if no subscriber remains.
  var isEmpty: Bool { states.isEmpty && selections.isEmpty && (transitionsIfCreated?.isUnused ?? true) }

  // MARK: Transitions

  private var transitionsIfCreated: TransitionSeries? { existingTransitions.withLock { $0 } }

  /// The series of transitions, created on first use.
  var transitions: TransitionSeries {
    if let transitionsIfCreated { return transitionsIfCreated }
    let new = TransitionSeries(simulation: simulation)
    let series = existingTransitions.withLock { existing in
      if let existing { return existing }
      existing = new
      return new
    }
    // The last commit may already have been made.
    if states.isFinished { series.broadcast.finish() }
    return series
  }

  /// The newest state, if it is kept for transitions.
  var newestState: AnyPublished? { transitionsIfCreated?.newestState }

  /// Adds the transition to a committed state, and returns the publication to offer.
  ///
  /// Called under the store's lock.
  @usableFromInline
  func publishTransition(
    to committed: () -> AnyPublished,
    _ transition: (_ old: AnyPublished, _ new: AnyPublished) -> AnyPublished
  ) -> TransitionSeries.Publication? {
    transitionsIfCreated?.publish(committed, transition)
  }

  // MARK: All subscriptions

  /// Ends each stream after it delivers its remaining elements, because there will be no more states.
  ///
  /// - Parameter groupsOnly: Whether to end only the streams in running groups, because only these groups can cause
  ///   more states.
  func finish(groupsOnly: Bool = false) {
    states.finish(groupsOnly: groupsOnly)
    transitionsIfCreated?.broadcast.finish(groupsOnly: groupsOnly)
    for selection in groupsOnly ? selections.all : selections.finish() {
      selection.existingBroadcast?.finish(groupsOnly: groupsOnly)
    }
  }

  /// Begins a commit, and returns whether the caller must then call `select(from:at:)`.
  ///
  /// Called under the store's lock.
  @usableFromInline
  func beginCommit() -> Bool { selections.beginCommit() }

  /// Offers a commit to the streams of transitions, and then to those of states, which may have to wait for filters.
  ///
  /// Called with the turn and without a lock.
  @usableFromInline
  func offer(_ transition: TransitionSeries.Publication?, _ state: Broadcast.Publication) {
    if let transition {
      transition.offer()
      simulation?.scheduler.pointInCommit(of: queue)
    }
    if state.isEmpty { return }
    states.offer(state)
    simulation?.scheduler.pointInCommit(of: queue)
  }

  /// Brings the selections up to date with a commit, and offers the changed values to their consumers.
  ///
  /// Called with the turn and without a lock.
  @usableFromInline
  func select(from state: AnyPublished, at revision: UInt64) { selections.commit(state, at: revision) }

  // MARK: Inspecting

  var selectionBroadcasts: [Broadcast] { selections.all.compactMap(\.existingBroadcast) }

  /// The number of streams that have not ended.
  var subscriberCount: Int {
    states.count + (transitionsIfCreated?.broadcast.count ?? 0) + selectionBroadcasts.reduce(0) { $0 + $1.count }
  }

  /// The counts of each subscriber: first those of states, then those of transitions, then those of selections.
  var counts: [SubscriberCounts] {
    states.counts + (transitionsIfCreated?.broadcast.counts ?? []) + selectionBroadcasts.flatMap { $0.counts }
  }
}
