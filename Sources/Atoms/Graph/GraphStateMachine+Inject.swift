extension GraphStateMachine {
  /// Whether the closure that computes a node at a revision is a former one.
  func hasFormerFormula(_ node: NodeID, at revision: Revision) -> Bool {
    !formulaStarts.isEmpty && revision < formulaStarts[node] ?? 0
  }

  /// The first revision at which a value may be valid that a node's closure has computed at a revision.
  func firstRevision(of node: NodeID, computedAt revision: Revision) -> Revision {
    if formulaStarts.isEmpty { return 0 }
    // The start of a former closure is unknown.
    return min(formulaStarts[node] ?? 0, revision)
  }

  /// Whether a planted fault makes a node's own closure run after its injected one.
  func forgetsInjection(of node: NodeID) -> Bool {
    has(.forgetInjection) && self[node].version != 0 && self[node].validFrom >= formulaStarts[node] ?? .never
  }

  /// Makes another closure compute a node's value, in the newest revision.
  ///
  /// The node is not a source afterward. Evaluations at earlier revisions find the former value, or compute it with the
  /// former closure.
  ///
  /// - Parameter old: The former value of a source, if `mustKeep(node)`.
  mutating func replaceFormula(of node: NodeID, old: Value?) {
    if let old { keep(old, of: node) }
    self[node].flags.subtract([.source, .assigned])
    lastFormulaStart = revision
    runAgain(node)
  }

  /// Makes the closure of a node run again, in the newest revision, as if it were another one.
  mutating func runAgain(_ node: NodeID) {
    formulaStarts[node] = revision
    removeEdgesLater(of: node)
    self[node].dependencies.append(.different)
    self[node].edition &+= 1
    if self[node].dirtyAt == .never {
      self[node].dirtyAt = revision
      marked.append(node)
    }
    check(node)
    mark(dependentsOf: node)
  }
}
