/// A wait for something other than a turn, noted in the wait graph until it is fulfilled.
///
/// Whoever first finds out that the wait is over ends it: the committing task, the waiting one, or another wait that makes
/// it give way. So nobody is refused for a wait that is fulfilled, though the waiting task has yet to run.
final class NotedWait: Sendable {
  private struct State: Sendable {
    var turns: [TurnID] = []
    var place = WaitPlace(store: TurnID.none.store)
    var isOver = false
    var isRevoked = false
  }

  let id = WaitID.other(WaitsAcrossStores.nextNumber())
  private let state = Locked(State())

  var isOver: Bool { state.withLock { $0.isOver } }
  /// Whether another wait has made this one give way.
  var isRevoked: Bool { state.withLock { $0.isRevoked } }

  /// Says what `end` is to remove; called before it is added.
  func begin(_ turns: [TurnID], _ place: WaitPlace) {
    state.withLock { ($0.turns, $0.place) = (turns, place) }
  }

  /// Ends the wait; a second call does nothing.
  func end() {
    end(revoked: false)
  }

  /// Another wait makes this one give way, unless it is over; then it returns false.
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
    WaitsAcrossStores.end(id, noted.turns, noted.place)
    return true
  }
}
