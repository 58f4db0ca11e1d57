import ActorStore

extension Graph {
  /// Sets an atom to its default value, and forgets what a setter was called with.
  func reset(_ definition: AnyAtomDefinition) {
    if refuseSet(definition) { return }
    let visible = cell(of: definition)
    transaction {
      state.withLockBackingOff { hold(definition, &$0) }
      forgetSetter(of: visible.node)
      if let injection = injection(of: definition) {
        take(injection.resetSteps(definition.onReset), for: injection.last)
      } else if let steps = definition.resetTarget.resetSteps {
        take(steps, for: cell(of: definition.resetTarget))
      }
    }
  }

  /// Sets all atoms that have a value here to their default values, in one transaction.
  ///
  /// Steps that read other atoms follow.
  func resetAll() {
    if refuseSet("every atom") { return }
    transaction {
      forgetSetters()
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      let steps = state.withLockBackingOff { state in
        state.allCells.compactMap { resetSteps($0, state) }
      }
      for step in steps where !step.steps.isLate { take(step.steps, for: step.cell) }
      for step in steps where step.steps.isLate { take(step.steps, for: step.cell) }
    }
  }

  /// The cell that a reset of an atom changes, and how.
  ///
  /// Safe under the lock: definitions exist whose nodes are in the graph.
  private func resetSteps(
    _ cell: Cell, _ state: GraphState
  ) -> (cell: Cell, steps: AnyAtomDefinition.ResetSteps)? {
    let definition = cell.definition
    if let injection = state.injections[cell.node]?.current {
      return (injection.last, injection.resetSteps(definition.onReset))
    }
    if definition.isHidden, !state.injections.isEmpty,
      let visible = visibleCell(of: definition), state.injections[visible.node]?.isActive == true
    {
      return nil
    }
    return definition.resetSteps.map { (cell, $0) }
  }

  /// The cell of the atom that users know, to which a hidden atom belongs, under the lock.
  ///
  /// This does not use the atom, which may be about to go.
  func visibleCell(of definition: AnyAtomDefinition) -> Cell? {
    Unretained<Cell>(address: table.find(UInt(bitPattern: definition.visibleID)))?.retained
  }

  private func take(_ steps: AnyAtomDefinition.ResetSteps, for cell: Cell) {
    guard let evaluation = Evaluation.current else { return }
    let initial = steps.initial?() ?? evaluation.look(at: cell).value
    let value = steps.bodies.reduce(initial) { value, body in body(value) }
    if let setter = steps.setter {
      apply(cell.node) { setter(value) }
    } else {
      evaluation.write(value, to: cell, isDefault: steps.bodies.isEmpty)
    }
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
