import ActorStore
import Synchronization

extension RunCell {
  /// A task that waits for a result, and uses an atom during the wait.
  struct Waiting: Sendable {
    fileprivate let number: UInt64
    /// The node of the atom that users know.
    fileprivate let user: NodeID
    /// Whether the task belongs to another run, whose cancellation ends the use.
    fileprivate let isOfRun: Bool
    fileprivate let task: Parked<Awaited>
  }

  /// The tasks that wait for a result.
  ///
  /// The first one is stored inline, because there is hardly ever more than one.
  struct WaitingTasks: Sendable {
    private var first: Waiting?
    private var others: [UInt64: Waiting] = [:]

    var isEmpty: Bool { first == nil && others.isEmpty }

    fileprivate mutating func append(_ one: Waiting) {
      if isEmpty { first = one } else { others[one.number] = one }
    }

    fileprivate mutating func remove(_ number: UInt64) -> Waiting? {
      first?.number == number ? first.take() : others.removeValue(forKey: number)
    }

    /// Calls a closure for each task, in the order in which they began to wait.
    fileprivate func forEach(_ body: (Waiting) -> Void) {
      if let first { body(first) }
      if !others.isEmpty { others.values.sorted { $0.number < $1.number }.forEach(body) }
    }

    /// Resumes the tasks, without a lock.
    func resume(with awaited: Awaited) { forEach { $0.task.resume(returning: awaited) } }
  }

  /// The outcome of a wait for a result.
  enum Awaited: Sendable {
    /// The result of the newest run.
    case finished(RunResult)
    /// The task must look again, because a dependency may have changed, or another closure replaces the operation.
    case changed
    case canceled
  }

  /// The result of the newest run, without the graph's lock, or `nil` if it may not have ended.
  func resultIfValid(in graph: Graph) -> RunResult? {
    if graph.hasInjections.load(ordering: .relaxed) { return nil }
    let slot = CurrentThread.valueSlot
    guard copyIfValid(at: graph.state.revision.load(ordering: .acquiring), to: slot) != nil else { return nil }
    return slot.move(as: RunValue.self).result
  }

  private func awaited(for user: NodeID, _ state: GraphState) -> Awaited? {
    if !hasValue || !state.logic.canSet(node) { return .changed }
    // Only a derivation that has run uses this node.
    if state.logic.firstDependency(of: user) != node { return .changed }
    if !state.injections.isEmpty, state.injections[user]?.isActive == true { return .changed }
    return withKnownValue { $0.result }?.map { .finished($0) }
  }

  /// Waits for the result of the newest run, until the task is canceled or the graph is gone.
  ///
  /// If the task belongs to another run and is not canceled, the atom stays in use, and the caller ends that use.
  ///
  /// - Parameters:
  ///   - user: The node of the atom that users know, which is in use during the wait.
  ///   - isOfRun: Whether the task belongs to another run.
  @inline(__always)  // HP9
  nonisolated(nonsending) func result(for user: NodeID, isOfRun: Bool) async -> Awaited {
    let number = lastWaiting.wrappingAdd(1, ordering: .relaxed).newValue
    if !RuntimeEntries.areUsed {
      return await withTaskCancellationHandler {
        await park { wait(Waiting(number: number, user: user, isOfRun: isOfRun, task: $0)) }
      } onCancel: {
        stopWaiting(number)
      }
    }
    let cancellation = CancellationListener(number, of: self)
    let awaited = await park { wait(Waiting(number: number, user: user, isOfRun: isOfRun, task: $0)) }
    cancellation.stop()
    return awaited
  }

  /// Makes a task wait, or resumes it at once if no wait is necessary.
  @inline(never)  // HP9
  private func wait(_ one: Waiting) {
    let awaited = graph?.withGraph { graph in
      var released = Graph.Unused()
      defer { released.release() }
      return graph.state.withLockBackingOff { state -> Awaited? in
        if let awaited = self.awaited(for: one.user, state) {
          state.logic.beginUse(of: one.user)
          if one.isOfRun { return awaited }
          // A run that has already ended is no reason to keep its result for longer.
          state.logic.endUseAndKeep(one.user)
          graph.releaseUnused(to: &released, &state)
          return awaited
        }
        if Task.isCancelled || state.hasEnded { return .canceled }
        state.logic.beginUse(of: one.user)
        waiting.append(one)
        return nil
      }
    }
    if let awaited = awaited ?? .canceled { one.task.resume(returning: awaited) }
  }

  /// Removes and returns the waiting tasks, which the caller resumes without the lock, or returns `nil` if there are
  /// none.
  ///
  /// The end of a wait must not release the result. Otherwise, the next read would start another run. A task of another
  /// run ends its use after that read.
  func takeWaiting(_ state: inout GraphState) -> WaitingTasks? {
    if waiting.isEmpty { return nil }
    waiting.forEach { if !$0.isOfRun { state.logic.endUseAndKeep($0.user) } }
    defer { waiting = WaitingTasks() }
    return waiting
  }
}

extension RunCell: CancelableWaits {
  /// Ends the wait with this number, unless the graph is gone, because that also ends the wait.
  func stopWaiting(_ number: UInt64) {
    graph?.withGraph { graph in
      var released = Graph.Unused()
      let former = graph.state.withLockBackingOff { state -> Waiting? in
        guard let former = waiting.remove(number) else { return nil }
        // A canceled run no longer needs the result, so the store releases it if nothing else uses the atom.
        if former.isOfRun { state.logic.endUse(of: former.user) } else { state.logic.endUseAndKeep(former.user) }
        graph.releaseUnused(to: &released, &state)
        return former
      }
      released.release()
      former?.task.resume(returning: .canceled)
    }
  }
}
