import ActorStore

extension Graph {
  /// Sets an atom to its default value, and forgets what a setter was called with.
  func reset(_ definition: AnyAtomDefinition) {
    if refuseSet(definition) { return }
    let target = definition.resetTarget
    _ = cell(of: definition)
    transaction {
      let cell = cell(of: target)
      Evaluation.current?.appliers.forget(cell.node)
      target.resetSteps.map { take($0, for: cell) }
    }
  }

  /// Sets all atoms that have a value here to their default values, in one transaction.
  ///
  /// The setters with closures for a reset follow.
  func resetAll() {
    if refuseSet("every atom") { return }
    transaction {
      Evaluation.current?.appliers.forgetAll()
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      let steps = state.withLockBackingOff { state in
        state.allCells.compactMap { cell in cell.definition.resetSteps.map { (cell: cell, steps: $0) } }
      }
      for step in steps where step.steps.setter == nil { take(step.steps, for: step.cell) }
      for step in steps where step.steps.setter != nil { take(step.steps, for: step.cell) }
    }
  }

  private func take(_ steps: AnyAtomDefinition.ResetSteps, for cell: Cell) {
    guard let evaluation = Evaluation.current else { return }
    let initial = steps.initial ?? evaluation.look(at: cell).value
    let value = steps.bodies.reduce(initial) { value, body in body(value) }
    if let setter = steps.setter { apply(cell.node) { setter(value) } } else { evaluation.write(value, to: cell) }
  }

  /// Reports a set in a derivation or a snapshot, and returns whether there is one.
  func refuseSet(_ definition: AnyAtomDefinition) -> Bool { refuseSet(definition.label) }

  private func refuseSet(_ label: @autoclosure () -> String) -> Bool {
    guard let evaluation = Evaluation.refusingSets(in: self) else { return false }
    let problem = AtomProblem.setInDerivation(label(), in: evaluation.label)
    Evaluation.outside { evaluation.graph.problems.report(problem) }
    return true
  }
}
