import ActorStore
import Synchronization

extension RunCell {
  /// A task that waits for a result, and uses an atom meanwhile.
  struct Waiting: Sendable {
    fileprivate let number: UInt64
    /// The node of the atom that users know.
    fileprivate let user: NodeID
    /// Whether the task belongs to another run, whose cancellation ends the use.
    fileprivate let isOfRun: Bool
    fileprivate let task: Parked<Awaited>
  }

  /// The outcome of a wait for a result.
  enum Awaited: Sendable {
    /// The result of the newest run.
    case finished(RunResult)
    /// The task must look again, because a dependency may have changed, or another closure replaces the operation.
    case changed
    case canceled
  }

  /// Waits for the result of the newest run, if the task is not canceled.
  ///
  /// - Parameters:
  ///   - user: The cell of the atom that users know, which is in use meanwhile.
  ///   - graph: The graph.
  ///   - isOfRun: Whether the task belongs to another run.
  nonisolated(nonsending) func result(for user: Cell, in graph: Graph, isOfRun: Bool) async -> Awaited {
    let number = lastWaiting.wrappingAdd(1, ordering: .relaxed).newValue
    return await withTaskCancellationHandler {
      await park { task in
        let awaited = graph.state.withLockBackingOff { state -> Awaited? in
          guard let known = knownValue, state.logic.canSet(node) else { return .changed }
          // Only a derivation that has run uses this node.
          let edges = state.logic[user.node].dependencies
          if edges.isEmpty || edges[0].node != node || state.injections[user.node]?.isActive == true {
            return .changed
          }
          if let result = known.result { return .finished(result) }
          if Task.isCancelled { return .canceled }
          state.logic.beginUse(of: user.node)
          waiting.append(Waiting(number: number, user: user.node, isOfRun: isOfRun, task: task))
          return nil
        }
        if let awaited { task.resume(returning: awaited) }
      }
    } onCancel: {
      self.stopWaiting(number, in: graph)
    }
  }

  private func stopWaiting(_ number: UInt64, in graph: Graph) {
    var (former, released) = graph.state.withLockBackingOff { state -> (Waiting?, Graph.Unused) in
      guard let index = waiting.firstIndex(where: { $0.number == number }) else { return (nil, Graph.Unused()) }
      let former = waiting.remove(at: index)
      // A canceled run no longer needs the result, so the store releases it if nothing else uses the atom.
      if former.isOfRun { state.logic.endUse(of: former.user) } else { state.logic.endUseAndKeep(former.user) }
      return (former, graph.releaseUnused(&state))
    }
    released.release()
    former?.task.resume(returning: .canceled)
  }

  /// Removes and returns the waiting tasks, which the caller resumes without the lock.
  ///
  /// The end of a wait must not release the result. Otherwise, the next read would start another run.
  func takeWaiting(_ state: inout GraphState) -> [Waiting] {
    if waiting.isEmpty { return [] }
    for one in waiting { state.logic.endUseAndKeep(one.user) }
    defer { waiting = [] }
    return waiting
  }
}

extension [RunCell.Waiting] {
  /// Resumes tasks that wait, without a lock.
  func resume(with awaited: RunCell.Awaited) {
    for one in self { one.task.resume(returning: awaited) }
  }
}
