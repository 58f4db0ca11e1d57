/// The waits of one turn, for a watchdog.
extension WaitGraph {
  /// The first few stores for which something nested in a turn's action waits.
  ///
  /// Waits behind mutations are not among them, because they are too brief for the graph.
  static func queues(awaitedBy turn: TurnID, limit: Int) -> [TurnQueue] {
    SimulationHooks.ofThread?.touch(WaitGraph.self)
    var queues: [TurnQueue] = []
    var index = Int.max
    // Each edge leads to a different place, but two places can belong to one store, and a wait may be over. The search
    // is bounded, because an action may have many children.
    for _ in 0..<64 {
      guard queues.count < limit, let next = lead(of: turn, before: index) else { break }
      index = next.index
      let queue = next.lead.queue
      if isWaiting(turn, next.lead.place), !queues.contains(where: { $0 === queue }) { queues.append(queue) }
    }
    return queues
  }
}
