import ActorStore

/// The definition of an atom that transforms the values it is set to.
///
/// It is derived from a hidden atom with the value that was set last. So the transformation runs again when something
/// that it read changes.
final class WillSetDefinition<Value: Sendable>: DerivedDefinition<Value>, @unchecked Sendable {
  private let last: HiddenDefinition<Value>
  private let transformation: Held<@Sendable (Value) -> Value>

  init(
    _ file: StaticString, _ line: UInt, lifetime: AtomLifetime, _ initial: Value,
    _ willSet: @escaping @Sendable (Value) -> Value
  ) {
    let last = HiddenDefinition(initial, file, line)
    self.last = last
    transformation = Held(willSet)
    super.init(file, line, lifetime: lifetime) {
      switch AtomStore.currentValue(of: last) {
      case .none: initial
      case .initial(let value): value
      case .set(let value): willSet(value)
      }
    }
    last.join(self)
  }

  override func write(in graph: Graph, _ value: ValueSlot) {
    if graph.refuseSet(self) { return }
    // Closures added with `onUpdate(skip:)` receive the first value before it changes.
    _ = graph.cell(of: self)
    ValueSlot.with(Assignment.set(value.value(as: Value.self))) { new in
      if !isMember { return last.write(in: graph, new) }
      graph.transaction {
        graph.state.withLockBackingOff { graph.hold(self, &$0) }
        last.write(in: graph, new)
      }
    }
  }

  override var label: String {
    get { super.label }
    set {
      super.label = newValue
      last.label = newValue
    }
  }

  override var hasHiddenAtoms: Bool { true }

  override var resetTarget: AnyAtomDefinition { last }

  override var transform: (@Sendable (Value) -> Value)? { transformation.value }

  override func addReset(_ body: @escaping @Sendable (AnyPublished) -> AnyPublished) {
    super.addReset(body)
    last.addReset { last in
      guard case .initial(let value) = last.value(as: Assignment<Value>.self) else { return last }
      return Published(Assignment.initial(body(Published(value)).value(as: Value.self)))
    }
  }
}
