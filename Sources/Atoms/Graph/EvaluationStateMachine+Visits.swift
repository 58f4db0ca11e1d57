extension EvaluationStateMachine {
  /// Ends the last visit.
  @inline(__always)  // HP13
  mutating func endVisit() {
    let top = visits.count - 1
    if visits[top].ahead > 0 { ahead.remove(visits[top].node) }
    visits.removeLast()
  }

  /// Begins to bring the dependencies of a node up to date ahead of its closure.
  ///
  /// Returns `false` if this is already in progress, because a dependency needs the node.
  mutating func beginAhead(_ node: NodeID) -> Bool { ahead.insert(node).inserted }

  /// Ends the last visit from an index on that began ahead of a closure, and all later visits, and returns whether
  /// there was one.
  mutating func endVisitsAhead(after base: Int) -> Bool {
    guard let index = visits[base...].lastIndex(where: { $0.isAhead }) else { return false }
    while visits.count > index { endVisit() }
    return true
  }

  /// The nodes of a cycle, in the order in which they were read.
  func path(to node: NodeID) -> [NodeID] {
    let frames = frames
    let first = frames.firstIndex { $0.node == node } ?? 0
    var path: [NodeID] = []
    for index in frames.indices[first...] {
      // A frame, and the nodes visited between it and the next one.
      let end = index + 1 < frames.count ? frames[index + 1].visits : visits.count
      path.append(frames[index].node)
      path += visits[frames[index].visits..<max(frames[index].visits, end - 1)].map(\.node)
    }
    return path + [node]
  }
}
