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

  override func write(in graph: Graph, _ value: UnsafeMutableRawPointer) {
    if graph.refuseSet(self) { return }
    let value = unsafe value.assumingMemoryBound(to: Value.self).pointee
    write(in: graph, value)
  }

  private func write(in graph: Graph, _ value: Value) {
    // The setter must not hold the definition.
    let setter = setter
    graph.transaction { graph.apply(self) { setter(value) } }
  }

  /// Forgets the value that was set last.
  override func reset(in graph: Graph) {
    if graph.refuseSet(self) { return }
    graph.transaction {
      graph.forgetSetter(of: self)
      let bodies = onReset
      guard !bodies.isEmpty, let evaluation = Evaluation.current else { return }
      let value = evaluation.box(graph.cell(of: self)).value
      write(in: graph, bodies.reduce(value) { value, body in body(value) }.value(as: Value.self))
    }
  }
}
