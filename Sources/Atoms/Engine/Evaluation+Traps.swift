import ActorStore

/// Faults of a program that leave an atom without a value.
extension Evaluation {
  func labels(_ path: [NodeID]) -> [String] {
    graph.state.withLockBackingOff { state in path.map { state.label(of: $0) } }
  }

  /// Stops the program because of a cycle that a step has found.
  @inline(never)  // HP13
  func trapBecauseOfCycle(through node: NodeID) -> Never { Self.trapBecauseOfCycle(labels(logic.path(to: node))) }

  static func trapBecauseOfCycle(_ path: [String]) -> Never {
    fatalError(
      """
      Atoms: these derived atoms depend on each other in a cycle, so they have no value: \
      \(path.joined(separator: " -> ")). Remove one of these reads.
      """)
  }

  func trapBecauseOfStack(_ node: NodeID) -> Never {
    // A cycle through several stores appears as a series of evaluations.
    var nodes = CurrentThread.frames.reversed().flatMap { evaluation, _ in
      evaluation.logic.frames.map { (evaluation, $0.node) }
    }
    let repeated = nodes.lastIndex { $0.graph === graph && $1 == node }
    nodes.append((self, node))
    let path = nodes[(repeated ?? 0)...].flatMap { $0.labels([$1]) }
    if repeated != nil { Self.trapBecauseOfCycle(path) }
    let shown = path.count <= 12 ? path : Array(path.prefix(6)) + ["… \(path.count - 12) more …"] + path.suffix(6)
    fatalError(
      """
      Atoms: the first computation of \(path.first ?? "an atom") needs \(path.count) atoms inside each other, which is \
      too deep for the stack of this thread: \(shown.joined(separator: " -> ")). Read the atoms once from the last to \
      the first, or use a thread with a larger stack.
      """)
  }
}
