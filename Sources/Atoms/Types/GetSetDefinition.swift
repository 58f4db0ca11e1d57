import ActorStore

/// The definition of an atom with a getter and a setter.
final class GetSetDefinition<Value: Sendable>: DerivedDefinition<Value>, @unchecked Sendable {
  private let setter: Held<@Sendable (Value) -> Void>

  init(
    _ file: StaticString, _ line: UInt, lifetime: AtomLifetime, get: @escaping @Sendable () -> Value,
    set: @escaping @Sendable (Value) -> Void
  ) {
    setter = Held(set)
    super.init(file, line, lifetime: lifetime, get)
  }

  override func write(in graph: Graph, _ value: ValueSlot) {
    if graph.refuseSet(self) { return }
    write(in: graph, value.value(as: Value.self))
  }

  private func write(in graph: Graph, _ value: Value) {
    // The setter must not hold the definition.
    let setter = setter.value
    let cell = graph.cell(of: self)
    graph.transaction {
      graph.state.withLockBackingOff { graph.hold(self, &$0) }
      // Another thread can have injected the atom.
      guard let injection = graph.injection(of: self) else { return graph.apply(cell.node) { setter(value) } }
      ValueSlot.with(value) { injection.set(graph, $0) }
    }
  }

  /// The setter is called only with the result of closures that were added for a reset.
  override var resetSteps: ResetSteps? {
    let bodies = onReset
    if bodies.isEmpty { return nil }
    return ResetSteps(
      bodies: bodies, setter: { [setter = setter.value] in setter($0.value(as: Value.self)) }, isLate: true)
  }
}
