import ActorStore

/// The definition of an atom with a getter and a setter.
final class GetSetDefinition<Value: Sendable>: DerivedDefinition<Value>, @unchecked Sendable {
  private let setter: @Sendable (Value) -> Void

  init(
    _ file: StaticString, _ line: UInt, get: @escaping @Sendable () -> Value,
    set: @escaping @Sendable (Value) -> Void
  ) {
    setter = set
    super.init(file, line, get)
  }

  override func write(in graph: Graph, _ value: ValueSlot) {
    if graph.refuseSet(self) { return }
    write(in: graph, value.value(as: Value.self))
  }

  private func write(in graph: Graph, _ value: Value) {
    // The setter must not hold the definition.
    let setter = setter
    let cell = graph.cell(of: self)
    graph.transaction { graph.apply(cell.node) { setter(value) } }
  }

  /// The setter is called only with the result of closures that were added for a reset.
  override var resetSteps: ResetSteps? {
    let bodies = onReset
    if bodies.isEmpty { return nil }
    return ResetSteps(bodies: bodies, setter: { [setter] in setter($0.value(as: Value.self)) }, isLate: true)
  }
}
