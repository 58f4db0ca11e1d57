import ActorStore

extension RunCell {
  /// Starts another run.
  ///
  /// Returns `false`, and changes nothing, if there has been none yet.
  func reload(in graph: Graph) -> Bool {
    let (isDone, runs, unused, mustDeliver) = graph.state.withLockBackingOff { state -> (Bool, Runs, Unused, Bool) in
      guard let known = knownValue else { return (false, Runs(), Unused(), false) }
      // An evaluation is about to start one.
      if state.logic[node].claim != .none { return (true, Runs(), Unused(), false) }
      let end = state.logic.restart(node)
      paces = [:]
      let runs = newRun(in: graph, state)
      if known.isLoading {
        keepValue(state.logic.validity(node))
        return (true, runs, Unused(), false)
      }
      return (true, runs, set(known.loading, until: end, in: graph, &state), graph.startDelivering(&state))
    }
    withExtendedLifetime(unused) {}
    runs.exchange.former?.cancel()
    // Watchers see loading before the run can end.
    if mustDeliver { graph.deliver() }
    runs.exchange.new?.start()
    return isDone
  }

  /// Changes the value, unless there is a newer run.
  ///
  /// - Parameters:
  ///   - run: The run that sets the value, or `nil` to end the newest run.
  ///   - ends: Whether the run ends.
  ///   - change: A closure that changes the value. It is called under a lock.
  /// - Returns: The run that has ended because `run` was `nil`.
  @discardableResult
  func change(
    by run: Run?, ends: Bool, in graph: Graph, _ change: (RunValue) -> RunValue
  ) -> AnyRun? {
    while true {
      var outcome = Outcome()
      let isDone = graph.state.withLockBackingOff { state -> Bool in
        guard let newest = self.run, run == nil || run === newest || state.logic.has(.staleRunWins),
          let known = knownValue
        else {
          if ends, let run { outcome.unpinned = run.unpin(in: graph, &state) }
          return true
        }
        guard state.logic.canSet(node) else { return false }
        if ends { self.run = nil }
        let new = change(known)
        if run == nil { outcome.ended = newest }
        outcome.unused = set(new, in: graph, &state)
        if run == nil, state.logic.restoreFormerReads(of: node) {
          state.logic.advance()
          state.logic.change(node)
          graph.publishRevision(&state)
        }
        state.logic.endFormerReads(of: node)
        if let result = new.result { (outcome.waiting, outcome.result) = (takeWaiting(&state), result) }
        if ends, let run { outcome.unpinned = run.unpin(in: graph, &state) }
        outcome.unused.released = graph.releaseUnused(&state)
        outcome.mustDeliver = graph.startDelivering(&state)
        return true
      }
      if !isDone {
        // If a dependency has changed, this starts another run.
        graph.read(self)
        continue
      }
      outcome.unused.released.release()
      outcome.unpinned.release()
      if outcome.mustDeliver { graph.deliver() }
      if let result = outcome.result { outcome.waiting.resume(with: .finished(result)) }
      return outcome.ended
    }
  }

  private struct Outcome: Sendable {
    var ended: AnyRun?
    var result: RunResult?
    var waiting: [Waiting] = []
    var unused = Unused()
    var unpinned = Graph.Unpinned()
    var mustDeliver = false
  }

  /// Makes a value the newest one, in a new revision.
  ///
  /// - Parameter end: The revision that ended the former value, or `nil` for the new revision.
  private func set(
    _ value: RunValue, until end: Revision? = nil, in graph: Graph, _ state: inout GraphState
  ) -> Unused {
    state.logic.advance()
    let values = state.logic.setResult(
      of: node, old: state.logic.mustKeep(node) ? makeBox() : nil, until: end,
      new: state.logic[node].isWatched ? Published(value) : nil)
    let former = exchange(state.logic.validity(node), with: value)
    graph.publishRevision(&state)
    return Unused(values: values, former: former)
  }

  /// Forgets a run that has ended without a last state.
  func end(_ run: Run, in graph: Graph) {
    var released = graph.state.withLockBackingOff { state -> Graph.Unused in
      if self.run !== run { return Graph.Unused() }
      self.run = nil
      state.logic.endFormerReads(of: node)
      return graph.releaseUnused(&state)
    }
    released.release()
  }
}
