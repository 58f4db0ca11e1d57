import ActorStore

extension StoreDiagnostics {
  /// One line that describes the holder, the waiters, and the subscribers, without the number of commits.
  var withoutRevision: String {
    let turn = holder.map { "\($0.label) has the turn" } ?? "idle"
    return "\(name): \(turn), \(queued.count) waiting, \(subscribers.count) streams"
  }
}
