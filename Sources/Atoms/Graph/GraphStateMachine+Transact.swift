extension GraphStateMachine {
  /// Whether nothing that a transaction has read was changed by others.
  func isCurrent(_ evaluation: borrowing EvaluationState) -> Bool {
    if has(.commitUnchecked) { return true }
    return evaluation.reads.allSatisfy { read in
      self[read.node].version == read.version && revision < self[read.node].dirtyAt
    }
  }
}
