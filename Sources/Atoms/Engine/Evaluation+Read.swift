import ActorStore

/// Reads of an evaluation.
extension Evaluation {
  /// Copies the value that the evaluation sees to uninitialized memory, and records the read.
  func read(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    if !readIfClean(definition, to: destination) { readUnclean(definition, to: destination) }
  }

  /// Copies the value that the evaluation sees to uninitialized memory, and records the read.
  ///
  /// Called after `readIfClean` has returned `false`.
  func readUnclean(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    graph.point()
    let cell = graph.cell(of: definition)
    readSlowly(cell, base: logic.visits.count, to: destination)
    graph.note("reads", cell, ":", destination)
  }

  func read(_ cell: Cell, to destination: ValueSlot) {
    if !readIfClean(cell, to: destination) { readSlowly(cell, base: logic.visits.count, to: destination) }
  }

  /// Copies a value and records the read if the value is up to date, without the graph's lock.
  func readIfClean(_ definition: AnyAtomDefinition, to destination: ValueSlot) -> Bool {
    // In a simulation, force the slow path, which has a point where another task can run.
    if Graph.isSimulated { return false }
    return graph.find(definition)?.with { readIfClean($0, to: destination) } ?? false
  }

  @inline(__always)  // HP13
  private func readIfClean(_ cell: Cell, to destination: ValueSlot) -> Bool {
    if logic.hasOwn { return false }
    guard let stamp = cell.copyIfValid(at: logic.revision, to: destination) else { return false }
    track(cell, stamp, isSource: cell.isSource)
    return true
  }

  @inline(__always)  // HP13
  func track(_ cell: Cell, _ stamp: ValueStamp, isSource: Bool) {
    let repetition = logic.repetition(of: cell.node) { cell.noteReader($0) }
    logic.track(cell.node, stamp, isSource: isSource, repetition)
  }

  /// Copies a value that may have to be computed first.
  @inline(never)  // HP13
  func readSlowly(_ cell: Cell, base: Int, to destination: ValueSlot) {
    repeatSetters()
    let kept = find(cell, base: base, copyingTo: destination) { evaluation, cell, state, found -> AnyPublished? in
      evaluation.track(cell, found.stamp, isSource: state.logic[cell.node].isSource)
      if case .kept(_, let value) = found { return value }
      evaluation.graph.hold(cell, &state)
      cell.copy(state.logic.validity(cell.node), to: destination)
      return nil
    }
    if let kept = kept ?? nil { cell.copyValue(of: kept, to: destination) }
  }

  /// Copies the value that the evaluation sees to uninitialized memory, without making it a dependency.
  func capture(_ definition: AnyAtomDefinition, to destination: ValueSlot) {
    graph.point()
    let cell = graph.cell(of: definition)
    repeatSetters()
    let box = find(cell) { evaluation, cell, state, found in
      evaluation.logic.capture(cell.node, found.stamp, isSource: state.logic[cell.node].isSource)
      return found.box(in: cell)
    }
    cell.copyValue(of: box, to: destination)
  }

  /// The value that the evaluation sees, in a box, and its version.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - base: The number of visits that belong to the derivations around the search, or `nil` for all visits so far.
  func box(_ cell: Cell, base: Int? = nil) -> (value: AnyPublished, version: Version) {
    find(cell, base: base) { _, cell, _, found in (found.box(in: cell), found.stamp.version) }
  }
}
