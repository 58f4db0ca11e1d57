import ActorStore

extension Graph {
  /// A value that code has set, and that is reset because nothing uses its atom.
  struct ResetValue: Sendable {
    fileprivate let graph: Graph
    /// The node of the atom that users know.
    fileprivate let node: NodeID
    fileprivate let label: String
    /// The cell with the value.
    fileprivate let cell: Cell
    fileprivate let former: AnyPublished?
    fileprivate let initial: AnyPublished?

    /// Warns about the reset, unless the store has done so before, or the values are equal.
    ///
    /// Called without a lock, because it compares the values.
    func warn() {
      Evaluation.outside {
        if let former, let initial, cell.isEqual(former, initial) { return }
        let isFirst = graph.state.withLockBackingOff { $0.warned.insert(node).inserted }
        if isFirst { graph.problems.report(.setValueReset(label)) }
      }
    }
  }

  /// What to warn about when the value of a cell is reset, or `nil` if a warning is not necessary.
  ///
  /// A release build does not warn.
  ///
  /// - Parameters:
  ///   - cell: The cell with the value.
  ///   - visible: The cell of the atom that users know.
  ///   - former: The value that code has set.
  ///   - initial: The value after the reset, or `nil` if the next use computes it.
  func resetValue(
    of cell: Cell, visible: Cell, from former: AnyPublished?, to initial: AnyPublished?, _ state: GraphState
  ) -> ResetValue? {
    #if DEBUG
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      if visible.definition.lifetime.isStated || state.warned.contains(visible.node) { return nil }
      return ResetValue(
        graph: self, node: visible.node, label: visible.definition.label, cell: cell, former: former, initial: initial)
    #else
      return nil
    #endif
  }

  /// The labels of the atoms that others have changed since a transaction read them, at most ten.
  func labelsOfChanges(after evaluation: Evaluation) -> [String] {
    state.withLockBackingOff { state in
      state.logic.changes(after: evaluation.logic, atMost: 10).map { state.label(of: $0) }
    }
  }
}
