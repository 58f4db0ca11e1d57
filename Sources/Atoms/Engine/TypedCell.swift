import ActorStore

/// A cell with a value of a certain type.
///
/// `Storage` is `Value?`, or `Void` if the values are numbers, because `Cell` stores those.
///
/// The operations are overrides, which are never specialized. Unspecialized code that handles an optional looks up its
/// type at run time, so they treat the payload of the optional as a value.
class TypedCell<Value: Sendable, Storage>: Cell, @unchecked Sendable {
  // Invariant: `Storage` is `Void` if and only if the values are numbers. Otherwise, the storage is not `nil` if and
  // only if `hasValue`. Both are read under the cell's or the graph's lock and written under both. A direct set writes
  // the storage of an open source under the cell's lock alone, and no thread with the graph's lock then reads it.

  @safe @exclusivity(unchecked) private final var storage: Storage

  init(_ definition: AnyAtomDefinition, _ equality: Equality?, _ value: Value?, storage: Storage) {
    self.storage = storage
    super.init(definition, equality, isSource: value != nil, size: MemoryLayout<Value>.size)
    stored = value
  }

  /// The value, or `nil` if there is none.
  private final var stored: Value? {
    get {
      if !hasNumbers { return unsafe Self.load(&storage) }
      return hasValue ? ValueSlot.value(Value.self) { $0.setNumber(knownNumber, size: numberSize) } : nil
    }
    set {
      hasValue = newValue != nil
      if !hasNumbers {
        unsafe Self.store(newValue, &storage)
      } else if let newValue {
        knownNumber = ValueSlot.with(newValue) { $0.number(size: numberSize) }
      }
    }
  }

  /// A copy of the stored value, which is not a number.
  private static func load(_ storage: UnsafeMutablePointer<Storage>) -> Value? {
    unsafe UnsafeMutableRawPointer(storage).assumingMemoryBound(to: Value?.self).pointee
  }

  /// Stores a value that is not a number.
  private static func store(_ value: Value?, _ storage: UnsafeMutablePointer<Storage>) {
    unsafe UnsafeMutableRawPointer(storage).assumingMemoryBound(to: Value?.self).pointee = value
  }

  /// The payload of an optional that is not `nil`.
  ///
  /// Safe: an optional stores its payload first.
  @inline(__always)  // HP14
  private static func payload(_ storage: UnsafeMutablePointer<Storage>) -> UnsafeMutablePointer<Value> {
    unsafe UnsafeMutableRawPointer(storage).assumingMemoryBound(to: Value.self)
  }

  @inline(__always)  // HP14
  private static func copy(_ storage: UnsafeMutablePointer<Storage>, to destination: ValueSlot) {
    unsafe destination.address.assumingMemoryBound(to: Value.self).initialize(to: payload(storage).pointee)
  }

  @inline(__always)  // HP14
  private static func exchange(_ storage: UnsafeMutablePointer<Storage>, with other: ValueSlot) {
    unsafe swap(&payload(storage).pointee, &other.address.assumingMemoryBound(to: Value.self).pointee)
  }

  private static func areEqual(
    _ storage: UnsafeMutablePointer<Storage>, _ other: ValueSlot, _ equality: Unretained<Equality>
  ) -> Bool {
    equality.with { unsafe $0.areEqual(payload(storage), other.address) }
  }

  override func copyValue(to destination: ValueSlot) { unsafe Self.copy(&storage, to: destination) }

  override func exchangeValue(with other: ValueSlot) -> Bool {
    if !hasValue {
      setFirstValue(other)
      return false
    }
    unsafe Self.exchange(&storage, with: other)
    return true
  }

  @inline(never)  // HP14
  private final func setFirstValue(_ new: ValueSlot) {
    stored = new.move(as: Value.self)
  }

  override func replaceValue(with box: AnyPublished) -> AnyPublished? {
    defer { stored = box.value(as: Value.self) }
    return makeBox()
  }

  /// Passes the value to a closure, and returns the closure's result, or `nil` if there is no value.
  ///
  /// Called under the graph's lock. The value must not be a number.
  @inline(__always)  // HP25
  final func withKnownValue<Result>(_ body: (borrowing Value) -> Result) -> Result? {
    assert(!hasNumbers, "Atoms: the unused storage of a cell with numbers was accessed. This is a bug in Atoms.")
    return hasValue ? unsafe Self.with(&storage, body) : nil
  }

  @inline(__always)  // HP25
  private static func with<Result>(
    _ storage: UnsafeMutablePointer<Storage>, _ body: (borrowing Value) -> Result
  ) -> Result { unsafe body(payload(storage).pointee) }

  /// Exchanges the value, and returns the former one, or `nil` if there was none or it was a number.
  final func exchange(_ validity: Validity, with new: Value) -> Value? {
    var former: Value?
    ValueSlot.with(resultOf: { new }) { slot in
      if exchange(validity, with: slot) { former = slot.move(as: Value.self) }
    }
    return former
  }

  override func takePayload() -> AnyPublished? {
    defer { stored = nil }
    return makeBox()
  }

  override func makeBox() -> AnyPublished? { stored.map { Published($0) } }

  override func makeBox(like other: AnyPublished) -> AnyPublished {
    if hasNumbers {
      return ValueSlot.withNumber(knownNumber, size: numberSize) { unsafe other.another(with: $0.address) }
    }
    return unsafe Self.copy(&storage, like: other)
  }

  private static func copy(_ storage: UnsafeMutablePointer<Storage>, like other: AnyPublished) -> AnyPublished {
    unsafe other.another(with: payload(storage))
  }

  override func makeBox(of value: ValueSlot) -> AnyPublished { Published(value.value(as: Value.self)) }

  override func copyValue(of box: AnyPublished, to destination: ValueSlot) {
    unsafe destination.address.initializeMemory(as: Value.self, to: box.value(as: Value.self))
  }

  override func isEqual(_ one: AnyPublished, _ other: AnyPublished) -> Bool {
    one.withSlot { isEqual(other, to: $0) }
  }

  override func isEqual(_ one: AnyPublished, to other: ValueSlot) -> Bool {
    if !hasNumbers { return equality?.with { $0.areEqual(one, to: other) } ?? false }
    return one.withSlot { areEqual($0.number(size: numberSize), other.number(size: numberSize)) }
  }

  override func isEqual(to other: ValueSlot) -> Bool {
    guard hasValue, let equality else { return false }
    return unsafe Self.areEqual(&storage, other, equality)
  }

  override func anyValue(of box: AnyPublished) -> any Sendable { box.value(as: Value.self) }
}

/// A cell whose value a closure computes.
final class DerivedCell<Value: Sendable, Storage>: TypedCell<Value, Storage>, @unchecked Sendable {
  // The cell has its own reference, because the atom can go while the closure runs.
  private let formula: @Sendable () -> Value

  init(
    _ definition: AnyAtomDefinition, _ equality: Equality?, _ formula: @escaping @Sendable () -> Value, storage: Storage
  ) {
    self.formula = formula
    super.init(definition, equality, nil, storage: storage)
  }

  override func compute(in evaluation: Evaluation) {
    evaluation.run(formula, for: self)
  }
}

extension Evaluation {
  /// Runs the closure that computes the value of a cell, and keeps the result.
  @inline(__always)  // HP14
  func run<Value>(_ formula: () -> Value, for cell: Cell) {
    ValueSlot.with(resultOf: formula) { slot in
      // The release can run user code, which is not a part of a derivation.
      if finish(cell, slot) { Self.outside { slot.release(as: Value.self) } }
    }
  }
}
