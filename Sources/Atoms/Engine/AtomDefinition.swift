import ActorStore

/// The definition of an atom with values of a certain type.
public class AtomDefinition<Value: Sendable>: AnyAtomDefinition, @unchecked Sendable {
  /// The closure that transforms the values that the atom is set to, if there is one.
  var transform: (@Sendable (Value) -> Value)? { nil }

  /// Creates the cell for a value that code sets.
  final func makeCell(with value: Value) -> Cell {
    let equality = Equality.of(Value.self)
    return equality?.isOfNumbers ?? false
      ? TypedCell(self, equality, value, storage: ()) : TypedCell(self, equality, value, storage: Value?.none)
  }

  /// Creates the cell for a value that a closure computes.
  final func makeCell(computedBy formula: @escaping @Sendable () -> Value) -> Cell {
    let equality = Equality.of(Value.self)
    return equality?.isOfNumbers ?? false
      ? DerivedCell(self, equality, formula, storage: ()) : DerivedCell(self, equality, formula, storage: Value?.none)
  }
}

/// The definition of an atom whose value is set.
class StoredDefinition<Value: Sendable>: AtomDefinition<Value>, @unchecked Sendable {
  let initial: Value

  init(_ initial: Value, _ file: StaticString, _ line: UInt, lifetime: AtomLifetime) {
    self.initial = initial
    super.init(file, line, lifetime: lifetime)
  }

  override func makeCell() -> Cell { makeCell(with: initial) }

  override func makeOwnInjection(in graph: Graph) -> Injection? {
    let initial = initial
    return makeInjection(in: graph) { initial }
  }

  override var initialValue: AnyPublished? { Published(initial) }
}

/// The definition of an atom whose value a closure computes.
class DerivedDefinition<Value: Sendable>: AtomDefinition<Value>, @unchecked Sendable {
  // Invariant: only `deinit` changes the closure.
  //
  // There are more derived atoms than others, so the closure is here and not in `Held`, which takes 48 bytes more.
  private var formula: Formula?

  private struct Formula: Sendable {
    let body: @Sendable () -> Value
  }

  init(_ file: StaticString, _ line: UInt, lifetime: AtomLifetime, _ body: @escaping @Sendable () -> Value) {
    formula = Formula(body: body)
    super.init(file, line, lifetime: lifetime)
  }

  deinit {
    // The closure holds the atoms that it reads.
    ReleaseQueue.release(Self.takeBox(&formula))
  }

  /// Moves a closure to a box, which then has the only reference to it.
  @inline(never)  // HP13
  private static func takeBox(_ formula: inout Formula?) -> AnyObject? {
    formula.take().map { Published($0) }
  }

  override func makeCell() -> Cell {
    guard let formula else {
      preconditionFailure("Atoms: an atom was used after it was released. This is a bug in Atoms.")
    }
    return makeCell(computedBy: formula.body)
  }
}
