import ActorStore

/// A value that was set on top of an injection.
private enum Override<Value: Sendable>: Sendable {
  case none
  case set(Value)
}

extension AtomDefinition {
  /// Makes a closure that replaces the atom's default value or closure.
  ///
  /// The result does not hold the atom.
  func makeInjection(in graph: Graph, _ body: @escaping @Sendable () -> Value) -> Injection {
    let last = HiddenDefinition(Override<Value>.none, of: self)
    let transform = transform
    let compute: @Sendable () -> Value = {
      switch AtomStore.currentValue(of: last) {
      case .none: body()
      case .set(let value): transform.map { $0(value) } ?? value
      }
    }
    return Injection(
      formula: { cell, evaluation in ValueSlot.with(resultOf: compute) { evaluation.finish(cell, $0) } },
      set: { graph, value in
        ValueSlot.with(Override.set(value.value(as: Value.self))) { last.write(in: graph, $0) }
      },
      last: graph.cell(of: last),
      resetSteps: { bodies in
        if bodies.isEmpty { return ResetSteps(bodies: [], initial: { Published(Override<Value>.none) }, isLate: true) }
        let set: @Sendable (AnyPublished) -> AnyPublished = { Published(Override.set($0.value(as: Value.self))) }
        return ResetSteps(bodies: bodies + [set], initial: { Published(body()) }, isLate: true)
      })
  }
}
