import ActorStore

extension Graph {
  /// Sets an atom to its default value.
  func reset(_ definition: AnyAtomDefinition) {
    if refuseSet(definition) { return }
    guard var value = definition.initialValue else { return }
    for body in definition.onReset { value = body(value) }
    let cell = cell(of: definition)
    transaction { Evaluation.current?.write(value, to: cell) }
  }

  /// Sets all atoms that have a value here to their default values, in one transaction.
  func resetAll() {
    if refuseSet("every atom") { return }
    transaction {
      guard let evaluation = Evaluation.current else { return }
      evaluation.appliers = Appliers(empty: evaluation.appliers)
      // Safe: under the lock, definitions exist whose nodes are in the graph.
      let steps = state.withLockBackingOff { state in
        state.allCells.compactMap { cell in unsafe cell.definition.resetSteps.map { (cell, $0) } }
      }
      for (cell, step) in steps {
        evaluation.write(step.bodies.reduce(step.initial) { value, body in body(value) }, to: cell)
      }
    }
  }

  /// Reports a set in a derivation or a snapshot, and returns whether there is one.
  func refuseSet(_ definition: AnyAtomDefinition) -> Bool { refuseSet(definition.label) }

  private func refuseSet(_ label: @autoclosure () -> String) -> Bool {
    guard let evaluation = Evaluation.current, evaluation.isReadOnly else { return false }
    problems.report(.setInDerivation(label(), in: evaluation.label))
    return true
  }
}
