import ActorStore

/// The definition of an atom with values of a certain type.
public class AtomDefinition<Value: Sendable>: AnyAtomDefinition, @unchecked Sendable {
  init(_ file: StaticString, _ line: UInt, lifetime: AtomLifetime) {
    super.init(file, line, Equality.of(Value.self), lifetime: lifetime)
  }

  /// The closure that transforms the values that the atom is set to, if there is one.
  var transform: (@Sendable (Value) -> Value)? { nil }
}

/// The definition of an atom whose value is set.
class StoredDefinition<Value: Sendable>: AtomDefinition<Value>, @unchecked Sendable {
  let initial: Value

  init(_ initial: Value, _ file: StaticString, _ line: UInt, lifetime: AtomLifetime) {
    self.initial = initial
    super.init(file, line, lifetime: lifetime)
  }

  override func makeCell() -> Cell { TypedCell(self, initial) }

  override func makeOwnInjection(in graph: Graph) -> Injection? {
    let initial = initial
    return makeInjection(in: graph) { initial }
  }

  override var initialValue: AnyPublished? { Published(initial) }
}

/// The definition of an atom whose value a closure computes.
class DerivedDefinition<Value: Sendable>: AtomDefinition<Value>, @unchecked Sendable {
  private let formula: Held<@Sendable () -> Value>

  init(_ file: StaticString, _ line: UInt, lifetime: AtomLifetime, _ body: @escaping @Sendable () -> Value) {
    formula = Held(body)
    super.init(file, line, lifetime: lifetime)
  }

  override func makeCell() -> Cell { DerivedCell(self, formula.value) }
}
