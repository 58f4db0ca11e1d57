import ActorStore

extension RunCell {
  /// Publishes a value that a transaction has set, in the revision of the commit, and ends the run.
  ///
  /// Called under the lock, after the transaction's other values are in place.
  ///
  /// - Parameters:
  ///   - new: The value.
  ///   - unseen: Gets the values that the caller releases without the lock.
  /// - Returns: A closure to call after the delivery, or `nil` if there was no run and no task waited for a result.
  func setByHand(
    _ new: AnyPublished, _ unseen: inout [AnyPublished], _ state: inout GraphState
  ) -> (@Sendable () -> Void)? {
    guard let result = new.value(as: RunValue.self).result else { return nil }
    let value = withKnownValue { $0.after(result) } ?? RunValue().after(result)
    let end = state.logic.assign(node)
    state.logic.setResult(
      of: node, old: hasValue && state.logic.mustKeep(node, until: end) ? makeBox() : nil, until: end,
      new: state.logic[node].isWatched ? Published(value) : nil)
    state.logic[node].flags.formUnion(.assigned)
    state.logic.settle(node, after: state.logic.revision)
    if let former = exchange(state.logic.validity(node), with: value) { unseen.append(Published(former)) }
    state.noteCause(self)
    pacing.endWait()
    let (former, waiting) = (run.take(), takeWaiting(&state))
    if former == nil, waiting == nil { return nil }
    return {
      RunExchange(former: former)()
      waiting?.resume(with: .finished(result))
    }
  }
}

extension Evaluation {
  /// Records a result that the transaction sets.
  func write(_ result: RunResult, to cell: RunCell) {
    let own = logic.own[cell.node]?.value.value(as: RunValue.self)
    let known = own ?? graph.state.withLockBackingOff { _ in cell.withKnownValue { copy $0 } }
    write(Published((known ?? RunValue()).after(result)), to: cell)
  }
}

extension AsyncDefinition {
  /// Sets the result in a graph, or starts a run if the value is loading.
  func set(_ state: AsyncState<Success>, in graph: Graph) {
    if graph.refuseSet(self) { return }
    guard let result = RunResult(state) else { return AtomStore(.of(graph)).reload(self) }
    // Closures added with `onUpdate(skip:)` receive the first value before it changes.
    _ = graph.cell(of: self)
    let cell = run.cell(in: graph)
    graph.transaction {
      graph.state.withLockBackingOff { graph.hold(self, &$0) }
      // An earlier reload or cancellation in the transaction has no effect on this result.
      graph.afterCommit(self) {}
      Evaluation.current?.write(result, to: cell)
    }
  }
}
