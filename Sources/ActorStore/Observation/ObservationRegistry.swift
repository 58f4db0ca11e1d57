/// The observations of one store, the shell around `ObservationRegistryStateMachine`.
package final class ObservationRegistry: Sendable {
  private let stateMachine = Locked(ObservationRegistryStateMachine())

  package init() {}

  /// Starts an observation for an owner, or returns the token of its existing observation with the same ID.
  ///
  /// - Parameters:
  ///   - id: The ID of the observation.
  ///   - actor: The actor to call `body` on.
  ///   - current: The actor that the caller runs on, if known.
  package func observe<Owner: AnyObject, Value: Sendable>(
    _ owner: Owner,
    id: ObservationID,
    on actor: any Actor,
    calledOn current: (any Actor)?,
    _ subscribe: () -> Subscription<Value>,
    _ body: @escaping (Owner, Value) -> Void
  ) -> ObservationToken {
    let key = ObservationRegistryStateMachine.Key(owner: ObjectIdentifier(owner), id: id.value)
    while true {
      let (other, candidates) = stateMachine.withLock { ($0.anyToken(of: key.owner), $0.candidates(key)) }
      if let other, !other.belongs(to: owner) {
        // These belong to an earlier object at the owner's address.
        for token in stateMachine.withLock({ $0.tokens(of: key.owner) }) where !token.belongs(to: owner) {
          token.cancel()
        }
        continue
      }
      // The actors of these observations are gone.
      for dead in candidates where !dead.isLive(for: owner) { dead.cancel() }
      let live = candidates.filter { $0.isLive(for: owner) }
      if let standing = live.first(where: { $0.id.matches(id) }) {
        if !standing.isEnding { requireSameObservation(standing.id, id) }
        return standing
      }
      let token = ObservationToken(Observer(owner, on: actor, subscribe(), body), key: key, id: id, self)
      if stateMachine.withLock({ $0.add(token, after: candidates) }) {
        endObservationsThatAreOver(asSeenOn: current)
        start(token)
        return token
      }
      token.cancel()
    }
  }

  /// Traps in debug builds if two observations without an explicit ID come from different calls, because the closure of
  /// the second would never be called.
  private func requireSameObservation(_ standing: ObservationID, _ new: ObservationID) {
    assert(
      standing.callSite == nil || new.callSite == nil || standing.callSite == new.callSite,
      """
      ActorStore: the call at \(new.callSite?.description ?? "") observes the same thing for the same owner as the \
      call at \(standing.callSite?.description ?? ""). The new closure would never be called. Give \
      each observation an `id`, or stop the first one.
      """)
  }

  /// Starts the task of an observation, nested in nothing, because it outlives the action that starts it.
  private func start(_ token: ObservationToken) {
    if CallChain.isEmptyHere {
      _ = inheritingTask { await token.run() }
    } else {
      CallChain.cleared { _ = inheritingTask { await token.run() } }
    }
  }

  /// Occasionally ends the observations whose owners or actors are gone.
  ///
  /// Without the search, an observation ends only at its next delivery. That may be late if the store seldom changes or
  /// the filter accepts few values.
  private func endObservationsThatAreOver(asSeenOn current: (any Actor)?) {
    let tokens = stateMachine.withLock { $0.tokensToSearch() }
    if tokens.isEmpty { return }
    for token in tokens where token.isOver(asSeenOn: current) { token.cancel() }
    stateMachine.withLock { $0.endSearch() }
  }

  func stopObserving(_ owner: AnyObject) {
    for token in stateMachine.withLock({ $0.tokens(of: ObjectIdentifier(owner)) }) { token.cancel() }
  }

  func remove(_ token: ObservationToken) {
    stateMachine.withLock { $0.remove(token) }
  }

  var count: Int { stateMachine.withLock { $0.count } }

  /// The number of observations of an object, or of an earlier object at its address.
  func count(of owner: AnyObject) -> Int {
    stateMachine.withLock { $0.tokens(of: ObjectIdentifier(owner)) }.count
  }
}
