import ActorStore

extension RunCell {
  /// Starts another run.
  ///
  /// Returns `false`, and changes nothing, if there has been none yet.
  func reload(in graph: Graph) -> Bool {
    var leftovers = Leftovers()
    var exchange = RunExchange()
    let isDone = graph.state.withLockBackingOff { state -> Bool in
      if !hasValue { return false }
      // An evaluation is about to start one.
      if state.logic[node].claim != .none { return true }
      let end = state.logic.restart(node)
      exchange = newRun(in: graph, &state)
      if isLoading {
        keepValue(state.logic.validity(node))
      } else {
        set({ $0.loading }, until: end, in: graph, &leftovers, &state)
        leftovers.mustDeliver = graph.startDelivering(&state)
      }
      return true
    }
    exchange.former?.cancel()
    // Watchers see loading before the run can end.
    leftovers.release(in: graph)
    exchange.new?.start()
    return isDone
  }

  /// Makes a result the value, unless there is a newer run.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - run: The run that sets it.
  ///   - ends: Whether the run ends.
  ///   - element: The state of the visible atom if its watchers get each result, or `nil`.
  ///   - graph: The graph.
  func set(_ result: RunResult, by run: Run, ends: Bool, element: AnyPublished? = nil, in graph: Graph) {
    finish(in: graph) { state, leftovers in
      let isNewest = self.run === run || self.run != nil && state.logic.has(.staleRunWins)
      // An evaluation that holds the claim has found a change and is about to replace the run, so the result is too
      // late.
      let isReplaced = !isNewest || !hasValue || state.logic[node].claim != .none
      if !isReplaced, !state.logic.canSet(node) { return false }
      if ends { leftovers.unpinned = run.unpin(in: graph, &state) }
      if isReplaced { return true }
      if ends { self.run = nil }
      let number = state.logic.newVersion()
      set({ $0.after(result, number: number, isFinished: ends) }, in: graph, &leftovers, &state)
      if let element { add(element, number, in: graph, &state) }
      state.logic.endFormerReads(of: node, isSuccess: result.isSuccess)
      end(with: result, &leftovers, &state)
      return true
    }
  }

  /// Adds an element for the watchers of the visible atom, unless an injection replaces its state.
  private func add(_ element: AnyPublished, _ number: Version, in graph: Graph, _ state: inout GraphState) {
    // Safe: under the lock, definitions exist whose nodes are in the graph. Another atom may have the address.
    guard let visible = graph.visibleCell(of: definition), visible.definition.runs === definition,
      let watch = state.watch(visible.node)
    else { return }
    if !state.injections.isEmpty, state.injections[visible.node]?.isActive == true { return }
    watch.add(Watch.Element(value: element, number: number, revision: state.logic.revision))
    state.logic.check(visible.node)
  }

  /// Notes that a sequence has ended after its last element, unless there is a newer run.
  func finish(_ run: Run, in graph: Graph) {
    finish(in: graph) { state, leftovers in
      if self.run !== run || !hasValue || state.logic[node].claim != .none { return true }
      if !state.logic.canSet(node) { return false }
      set({ $0.atEnd }, in: graph, &leftovers, &state)
      return true
    }
  }

  /// Ends the newest run with the result that a closure chooses, and returns that run.
  ///
  /// The closure gets the last value. It is called under a lock, and can be called more than once.
  func endRun(in graph: Graph, _ result: (RunValue) -> RunResult) -> AnyRun? {
    var ended: AnyRun?
    finish(in: graph) { state, leftovers in
      guard let newest = run, let result = withKnownValue(result) else { return true }
      if !state.logic.canSet(node) { return false }
      (run, ended) = (nil, newest)
      pacing.endWait()
      set({ $0.after(result) }, in: graph, &leftovers, &state)
      if state.logic.restoreFormerReads(of: node) {
        state.logic.advance()
        state.logic.change(node)
        graph.publishRevision(&state)
      }
      state.logic.endFormerReads(of: node, isSuccess: false)
      end(with: result, &leftovers, &state)
      return true
    }
    return ended
  }

  /// Calls a closure under the lock until it returns `true`, and brings the node up to date before each further call.
  private func finish(in graph: Graph, _ body: (inout GraphState, inout Leftovers) -> Bool) {
    while true {
      var leftovers = Leftovers()
      let isDone = graph.state.withLockBackingOff(briefly: true) { state in
        if !body(&state, &leftovers) { return false }
        graph.releaseUnused(to: &leftovers.released, &state)
        leftovers.mustDeliver = graph.startDelivering(&state)
        return true
      }
      if isDone { return leftovers.release(in: graph) }
      // If a dependency has changed, this starts another run. If an evaluation on another thread is about to start that
      // run, the thread needs only a moment, because it calls no user code until then.
      let isClaimed = graph.state.withLockBackingOff { $0.logic[node].claim != .none }
      if isClaimed { Graph.yield() } else { graph.read(self) }
    }
  }

  private func end(with result: RunResult, _ leftovers: inout Leftovers, _ state: inout GraphState) {
    leftovers.waiting = takeWaiting(&state)
    if leftovers.waiting != nil { leftovers.result = result }
  }

  /// The leftovers of a change, for the caller to use and release without the lock.
  private struct Leftovers: Sendable {
    var former: RunValue?
    var unpinned: Graph.Unpinned?
    var released = Graph.Unused()
    var waiting: WaitingTasks?
    var result: RunResult?
    var mustDeliver = false

    mutating func release(in graph: Graph) {
      released.release()
      unpinned?.release()
      if mustDeliver { graph.deliver() }
      if let result { waiting?.resume(with: .finished(result)) }
    }
  }

  /// Makes a value the newest one, in a new revision.
  ///
  /// - Parameter end: The revision that ended the former value, or `nil` for the new revision.
  @inline(__always)  // HP25
  private func set(
    _ change: (borrowing RunValue) -> RunValue, until end: Revision? = nil, in graph: Graph,
    _ leftovers: inout Leftovers, _ state: inout GraphState
  ) {
    guard let new = withKnownValue(change) else { return }
    state.logic.advance()
    state.logic.setResult(
      of: node, old: state.logic.mustKeep(node, until: end) ? makeBox() : nil, until: end,
      new: state.logic[node].isWatched ? Published(new) : nil)
    leftovers.former = exchange(state.logic.validity(node), with: new)
    state.noteCause(self)
    graph.publishRevision(&state)
  }

  /// Forgets a run that has ended without a last state.
  func end(_ run: Run, in graph: Graph) {
    var released = Graph.Unused()
    var unpinned = graph.state.withLockBackingOff { state in
      let unpinned = run.unpin(in: graph, &state)
      if self.run !== run { return unpinned }
      self.run = nil
      state.logic.endFormerReads(of: node, isSuccess: false)
      graph.releaseUnused(to: &released, &state)
      return unpinned
    }
    released.release()
    unpinned?.release()
  }
}
