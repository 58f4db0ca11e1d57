import ActorStore

extension Graph {
  /// Sets an atom to its default value, and forgets what a setter was called with.
  func reset(_ definition: AnyAtomDefinition) {
    if refuseSet(definition) { return }
    let visible = cell(of: definition)
    let injection = injection(of: definition)
    let target = injection?.last ?? cell(of: definition.resetTarget)
    let steps = injection?.resetSteps(definition.onReset) ?? definition.resetTarget.resetSteps
    transaction {
      Evaluation.current?.appliers.forget(visible.node)
      steps.map { take($0, for: target) }
    }
  }

  /// Sets all atoms that have a value here to their default values, in one transaction.
  ///
  /// Steps that read other atoms follow.
  func resetAll() {
    if refuseSet("every atom") { return }
    transaction {
      Evaluation.current?.appliers.forgetAll()
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      let steps = state.withLockBackingOff { state in
        state.allCells.compactMap { state.resetSteps($0) }
      }
      for step in steps where !step.steps.isLate { take(step.steps, for: step.cell) }
      for step in steps where step.steps.isLate { take(step.steps, for: step.cell) }
    }
  }

  private func take(_ steps: AnyAtomDefinition.ResetSteps, for cell: Cell) {
    guard let evaluation = Evaluation.current else { return }
    let initial = steps.initial?() ?? evaluation.look(at: cell).value
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

extension GraphState {
  /// The cell that a reset of an atom changes, and how.
  ///
  /// Safe under the lock: definitions exist whose nodes are in the graph.
  fileprivate func resetSteps(_ cell: Cell) -> (cell: Cell, steps: AnyAtomDefinition.ResetSteps)? {
    if let injection = injections[cell.node]?.current {
      return (injection.last, injection.resetSteps(cell.definition.onReset))
    }
    return cell.definition.resetSteps.map { (cell, $0) }
  }
}
