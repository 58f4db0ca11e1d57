/// The transitions of one store and their subscribers, the shell around `NewestState` and a broadcast.
///
/// Its methods are called under the store's lock. Otherwise, a subscriber could start between a commit and its
/// transition, or while the last other subscriber leaves and the newest state is released.
@usableFromInline package final class TransitionSeries: Sendable {
  /// The consequences of a commit, which `offer` carries out without a lock.
  @usableFromInline package struct Publication: Sendable {
    fileprivate let broadcast: Broadcast
    fileprivate let steps: Broadcast.Publication
    /// The replaced state, which the caller releases without a lock.
    fileprivate let old: AnyPublished

    /// Resumes the consumers that waited for a transition.
    func offer() { broadcast.offer(steps) }
  }

  let broadcast: Broadcast
  private let newest = Locked(NewestState<AnyPublished>())

  init(simulation: SimulationHooks?) {
    broadcast = Broadcast(simulation: simulation)
  }

  /// Whether it has no subscribers and keeps no state.
  var isUnused: Bool { broadcast.isEmpty && newestState == nil }

  /// The newest state, or `nil` while it is not kept.
  var newestState: AnyPublished? { newest.withLock { $0.box } }

  /// Offers a subscriber its first transition and all later ones.
  ///
  /// Returns the consumers to resume.
  func start(
    _ id: SubscriptionID,
    from current: () -> AnyPublished,
    _ transition: (_ new: AnyPublished) -> AnyPublished
  ) -> [Broadcast.Consumer] {
    // The subscriber may have left while an edit in place delayed its start. If it started now, it would keep the
    // state, and no later call would release that state.
    if !broadcast.isHere(id) { return [] }
    return broadcast.start(id, with: transition(newest.withLock { $0.start(current) }))
  }

  /// Adds the transition to a committed state, or returns `nil` if no subscriber has started.
  func publish(
    _ committed: () -> AnyPublished,
    _ transition: (_ old: AnyPublished, _ new: AnyPublished) -> AnyPublished
  ) -> Publication? {
    guard let (old, new) = newest.withLock({ $0.replace(committed) }) else { return nil }
    return Publication(broadcast: broadcast, steps: broadcast.publish { transition(old, new) }, old: old)
  }

  /// Takes out the newest state, which the caller releases without a lock, unless there are subscribers.
  func forgetIfEmpty() -> AnyPublished? {
    broadcast.isEmpty ? newest.withLock { $0.forget() } : nil
  }
}
