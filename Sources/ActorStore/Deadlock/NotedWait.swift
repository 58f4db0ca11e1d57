/// A wait for something other than a turn, recorded in the wait graph until it ends.
///
/// The committing task, the waiting task, or another wait that makes this one give way ends it, whichever comes first.
/// So a fulfilled wait leaves the graph even if the waiting task has yet to run.
final class NotedWait: Sendable {
  private struct State: Sendable {
    var turns: [TurnID] = []
    var place = WaitPlace(store: TurnID.none.store)
    var isOver = false
    var isRevoked = false
  }

  let id = WaitID.other(WaitGraph.nextNumber())
  private let state = Locked(State())

  var isOver: Bool { state.withLock { $0.isOver } }
  /// Whether another wait has made this one give way.
  var isRevoked: Bool { state.withLock { $0.isRevoked } }

  /// Sets the entries for `end` to remove from the graph.
  ///
  /// Call this method before you add the wait.
  func setEntries(_ turns: [TurnID], _ place: WaitPlace) {
    state.withLock { ($0.turns, $0.place) = (turns, place) }
  }

  /// Ends the wait, or does nothing if the wait is already over.
  func end() {
    end(revoked: false)
  }

  /// Makes this wait give way to another wait, or returns `false` if this wait is already over.
  @discardableResult
  func revoke() -> Bool {
    end(revoked: true)
  }

  @discardableResult
  private func end(revoked: Bool) -> Bool {
    let noted = state.withLock { state -> (turns: [TurnID], place: WaitPlace)? in
      if state.isOver { return nil }
      (state.isOver, state.isRevoked) = (true, revoked)
      return (state.turns, state.place)
    }
    guard let noted else { return false }
    if !noted.turns.isEmpty { SimulationHooks.ofThread?.touch(WaitGraph.self) }
    WaitGraph.remove(id, noted.turns, noted.place)
    return true
  }
}
