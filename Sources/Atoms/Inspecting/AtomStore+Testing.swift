import ActorStore

/// What test stores need.
extension AtomStore {
  /// Creates a store that notes which values are read.
  package static func recordingReads(clock: any Clock<Duration>) -> AtomStore {
    AtomStore(isRecording: true, clock: clock)
  }

  /// Adds an element to a stream after each revision of this store, until the result is called.
  package func signalRevisions(to signal: AsyncStream<Void>.Continuation) -> @Sendable () -> Void {
    let number = core.state.withLockBackingOff { state in
      state.lastWatcher += 1
      state.signals[state.lastWatcher] = signal
      return state.lastWatcher
    }
    return { [core] in
      let removed = core.state.withLockBackingOff { $0.signals.removeValue(forKey: number) }
      withExtendedLifetime(removed) {}
    }
  }

  /// The labels of atoms that a test has left behind.
  package struct Leftovers: Sendable {
    /// Atoms that wrappers, watchers, or models use, except closures for updates.
    package let inUse: [String]
    /// Atoms that were set, and whose last value nothing has read or watched.
    package let unread: [String]
    /// Asynchronous atoms with a run that has not ended, except those that follow objects.
    package let running: [String]
  }

  /// Cancels all runs and countdowns, and starts no more.
  ///
  /// Tasks that wait for a result get a `CancellationError`.
  package func endRuns() {
    let (runs, countdowns, waits) = core.state.withLockBackingOff {
      state -> ([AnyRun], [NodeID: Countdown], [@Sendable () -> Void]) in
      state.hasEnded = true
      defer { state.countdowns = [:] }
      let cells = state.allCells
      let endings = Array(state.endings.values)
      state.endings = [:]
      let runs = cells.compactMap { $0.takeRun() }
      return (runs, state.countdowns, cells.compactMap { $0.interruptWaiting(&state) } + endings)
    }
    for run in runs { run.cancel() }
    for countdown in countdowns.values { countdown.cancel() }
    for end in waits { end() }
  }

  /// The labels of atoms that a test has left behind: O(atoms and dependencies).
  package var leftovers: Leftovers {
    core.state.withLockBackingOff { state in
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      let inUse = state.visibleCells.filter { state.directUses(of: $0) > 0 }.map(\.definition.label)
      for node in state.watches.keys { state.noteRead(node) }
      for (node, injections) in state.injections
      where injections.isActive && !state.logic[node].isRemoved {
        // Nothing can read what an injection replaces.
        for cell in core.hiddenCells(of: state.cell(node), state) where cell !== injections.current?.last {
          state.noteRead(cell.node)
        }
      }
      let unread = state.allCells.filter { cell in
        state.logic[cell.node].isSource && state.logic.isAssigned(cell.node)
          && state.readVersions[cell.node] != state.logic[cell.node].version
      }.map(\.definition.label)
      let running = state.allCells.filter(\.hasRunToEnd).map(\.definition.label)
      return Leftovers(inUse: inUse.sorted(), unread: Set(unread).sorted(), running: running.sorted())
    }
  }
}

extension Graph {
  /// Calls a closure when the test of this store ends, or immediately if the test has already ended.
  ///
  /// - Returns: A closure that cancels this registration.
  func onEnd(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = state.withLockBackingOff { state -> Int? in
      if state.hasEnded { return nil }
      state.lastWatcher += 1
      state.endings[state.lastWatcher] = body
      return state.lastWatcher
    }
    guard let number else {
      body()
      return {}
    }
    return { [reference] in
      reference.withGraph { graph in
        let former = graph.state.withLockBackingOff { $0.endings.removeValue(forKey: number) }
        withExtendedLifetime(former) {}
      }
    }
  }
}

extension GraphState {
  /// Notes a read of a value, and of the sources that it was computed from.
  mutating func noteRead(_ node: NodeID) {
    var (next, known): ([NodeID], Set<NodeID>) = ([node], [node])
    while let node = next.popLast() {
      if logic[node].isSource { readVersions[node] = logic[node].version }
      for index in logic[node].reads {
        let dependency = logic[node].dependencies[index].node
        if dependency != .none, known.insert(dependency).inserted { next.append(dependency) }
      }
    }
  }

  /// The number of uses of an atom by wrappers, observations, and streams.
  fileprivate func directUses(of cell: Cell) -> Int {
    let record = logic[cell.node]
    let formerUsers = logic.formerUses.values.joined().count { $0 == cell.node }
    let users = record.dependents.indices.count { index in
      let edge = record.dependents[index]
      return logic[edge.node].uses > 0 && logic[edge.node].dependencies[Int(edge.index)].canUse
    }
    let watch = watches[cell.node]
    let isWatchedByHandlersOnly = record.isWatched && watch?.hasObservers == false
    return Int(record.uses) - users - formerUsers - (cell.definition.lifetime.isForever ? 1 : 0)
      - (logic.countdowns[cell.node] == nil ? 0 : 1) - (isWatchedByHandlersOnly ? 1 : 0)
  }
}
