/// Nodes that stay in use for a while after their last use.
///
/// A countdown is a use. It takes the place of the last other use, and the next use takes its place.
extension GraphStateMachine {
  /// Adds a use of a node, and returns whether the node was not in use before.
  mutating func addUse(of node: NodeID) -> Bool {
    let record = nodes.places()[Int(node.index)]
    if record.value.flags.contains(.timed), countdowns.removeValue(forKey: node) != nil { return false }
    record.value.uses += 1
    return record.value.uses == 1
  }

  /// Begins a countdown in place of the last use of a node.
  ///
  /// Returns `false`, and changes nothing, if the node has no countdown, or if its countdown has just ended.
  mutating func beginCountdown(of node: NodeID) -> Bool {
    if !self[node].flags.contains(.timed) || countdowns[node] == Self.endedCountdown { return false }
    lastCountdown += 1
    countdowns[node] = lastCountdown
    newCountdowns.append(node)
    return true
  }

  /// The nodes whose countdowns have begun and have not ended, with the numbers of the countdowns.
  mutating func takeNewCountdowns() -> [(node: NodeID, number: UInt64)] {
    defer { newCountdowns = [] }
    return newCountdowns.compactMap { node in countdowns[node].map { (node, $0) } }
  }

  /// Ends the use by a countdown, unless another use has begun since.
  mutating func endCountdown(_ number: UInt64, of node: NodeID) {
    if countdowns[node] != number { return }
    countdowns[node] = Self.endedCountdown
    endUse(of: node)
    countdowns[node] = nil
  }

  private static var endedCountdown: UInt64 { 0 }
}
