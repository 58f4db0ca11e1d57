import ActorStore

extension AtomDefinition {
  /// Makes a closure that replaces the atom's default value or closure.
  ///
  /// The result does not hold the atom.
  func makeInjection(in graph: Graph, _ body: @escaping @Sendable () -> Value) -> Injection {
    let last = HiddenDefinition<Value>(injectedInto: self)
    let transform = transform
    let compute: @Sendable () -> Value = {
      switch AtomStore.currentValue(of: last) {
      case .none: body()
      case .initial(let value): value
      case .set(let value): transform.map { $0(value) } ?? value
      }
    }
    return Injection(
      formula: { cell, evaluation in evaluation.run(compute, for: cell) },
      set: { graph, value in
        ValueSlot.with(Assignment.set(value.value(as: Value.self))) { last.write(in: graph, $0) }
      },
      last: graph.cell(of: last),
      assignment: Self.assignment,
      resetSteps: { bodies in
        if bodies.isEmpty {
          return ResetSteps(bodies: [], initial: { Published(Assignment<Value>.none) }, isLate: true)
        }
        return ResetSteps(bodies: bodies + [Self.assignment], initial: { Published(body()) }, isLate: true)
      })
  }

  /// Makes a value of the atom what its hidden part has.
  private static func assignment(_ value: AnyPublished) -> AnyPublished {
    Published(Assignment.initial(value.value(as: Value.self)))
  }
}
