import ActorStore

/// The definition of an atom with a part of a store's state.
///
/// It is derived from a hidden atom, so that an injection can replace it.
final class SelectionDefinition<Value: Sendable>: DerivedDefinition<Value>, @unchecked Sendable {
  private let hidden: AnyAtomDefinition
  private let setter: Held<Setter?>

  /// Makes a change of the store's state from a value that the atom is set to.
  struct Setter: Sendable {
    let change: @Sendable (Value) -> AnyPublished
    let receiver: any ChangeReceiver
  }

  init(_ file: StaticString, _ line: UInt, _ selected: SelectedDefinition<Value>, setter: Setter? = nil) {
    hidden = selected
    self.setter = Held(setter)
    super.init(file, line, lifetime: .whileUsed) { AtomStore.currentValue(of: selected) }
    selected.join(self)
  }

  override func write(in graph: Graph, _ value: ValueSlot) {
    guard let setter = setter.value, !graph.refuseSet(self) else { return }
    graph.afterCommit(self, setter.change(value.value(as: Value.self)), to: setter.receiver)
  }

  override var hasHiddenAtoms: Bool { true }

  override var label: String {
    get { super.label }
    set {
      super.label = newValue
      hidden.label = newValue
    }
  }
}
