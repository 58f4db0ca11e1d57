import ActorStore

extension StoreDiagnostics {
  /// Who has the turn and who waits, without how often something was committed.
  var withoutRevision: String {
    let turn = holder.map { "\($0.label) has the turn" } ?? "nobody has the turn"
    return "\(name): \(turn), \(queued.count) wait, \(subscribers.count) watch"
  }
}
