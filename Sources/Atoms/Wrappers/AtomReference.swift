/// An atom in a store, as wrappers and bindings refer to it.
struct AtomReference<Value: Sendable>: Sendable {
  let definition: AtomDefinition<Value>
  let store: AtomStore

  init(_ definition: AtomDefinition<Value>) {
    self.definition = definition
    store = .current
  }

  var value: Value { store.value(of: definition) }

  /// The value as a read that is no dependency.
  var capturedValue: Value {
    guard let evaluation = Evaluation.current(in: store.core) else { return value }
    return ValueSlot.value(Value.self) { slot in evaluation.run { evaluation.capture(definition, to: slot) } }
  }

  var values: AsyncStream<Value> { store.values(of: definition) }

  func set(_ value: Value) { ValueSlot.with(value) { store.write(definition, to: $0) } }

  /// Changes the value as one step.
  func update(_ body: (inout Value) -> Void) { store.update(definition, body) }
}
