import ActorStore

/// The definition of an atom with a part of a store's state.
///
/// It is derived from a hidden atom, so that an injection can replace it.
final class SelectionDefinition<Value: Sendable>: DerivedDefinition<Value>, @unchecked Sendable {
  private let hidden: AnyAtomDefinition
  private let send: Held<(@Sendable (Value) -> Void)?>

  /// - Parameter send: A closure that sends an action for a value that the atom is set to.
  init<State>(
    _ file: StaticString, _ line: UInt, _ selected: SelectedDefinition<State, Value>,
    send: (@Sendable (Value) -> Void)? = nil
  ) {
    hidden = selected
    self.send = Held(send)
    super.init(file, line, lifetime: .whileUsed) { AtomStore.currentValue(of: selected) }
    selected.join(self)
  }

  override func write(in graph: Graph, _ value: ValueSlot) {
    guard let send = send.value, !graph.refuseSet(self) else { return }
    let value = value.value(as: Value.self)
    graph.afterCommit(self) { send(value) }
  }

  override var label: String {
    get { super.label }
    set {
      super.label = newValue
      hidden.label = newValue
    }
  }
}
