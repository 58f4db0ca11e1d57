import ActorStore
import Synchronization

/// Reads outside evaluations.
extension Graph {
  /// Copies an atom's value to uninitialized memory if it is up to date, without the graph's lock.
  ///
  /// Called outside the graph's evaluations.
  func readIfClean(_ definition: AnyAtomDefinition, to destination: ValueSlot) -> Bool {
    // In a simulation, force the slow path, which has a point where another task can run.
    if Self.isSimulated || CurrentThread.hasAnnounced(to: self) { return false }
    let revision = state.revision.load(ordering: .acquiring)
    return find(definition)?.with { $0.copyIfValid(at: revision, to: destination) != nil } ?? false
  }

  /// Copies an atom's value to uninitialized memory.
  ///
  /// Called outside the graph's evaluations.
  func read(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    point(isWrite: false)
    seeOwnChanges()
    withCell(of: definition) { readAtPoint($0, to: destination) }
  }

  private func readAtPoint(_ cell: Cell, to destination: ValueSlot) {
    defer { note("reads", cell, ":", destination) }
    let (evaluation, first, mustDeliver) = state.withLockBackingOff {
      state -> (Unretained<Evaluation>?, Evaluation.Next?, Bool) in
      let mustDeliver = beginDelivery(&state)
      if state.logic[cell.node].isValid(at: state.logic.revision) {
        cell.copy(state.logic.validity(cell.node), to: destination)
        if isRecording { state.noteRead(cell.node) }
        hold(cell, &state)
        return (nil, nil, mustDeliver)
      }
      let evaluation = beginReading(&state)
      return (evaluation, evaluation.with { $0.begin(cell, &state) }, mustDeliver)
    }
    if let evaluation {
      touch()
      evaluate(in: evaluation) { $0.read(cell, after: first, to: destination) }
    }
    if mustDeliver { deliver() }
  }

  /// Brings the value of a cell up to date, unless its atom is gone.
  func read(_ cell: Cell) {
    touch()
    let evaluation = state.withLockBackingOff { state in state.has(cell) ? beginReading(&state) : nil }
    if let evaluation { evaluate(in: evaluation) { _ = $0.box(cell) } }
  }

  /// Runs a closure whose reads all see one revision.
  func snapshot<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    point("takes a snapshot", isWrite: false)
    seeOwnChanges()
    let evaluation = state.withLockBackingOff { beginReading(&$0) }
    defer { end(evaluation) }
    return try evaluation.retained.run(body)
  }
}
