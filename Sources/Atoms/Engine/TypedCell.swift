import ActorStore

/// A cell with a value of a certain type.
///
/// The operations are overrides, which are never specialized. Unspecialized code that handles an optional looks up its
/// type at run time, so they treat the payload of the optional as a value.
class TypedCell<Value: Sendable>: Cell, @unchecked Sendable {
  // Invariant: the value is not `nil` if and only if `hasValue` and the values are not numbers. Both are read under the
  // cell's or the graph's lock and written under both.

  @safe @exclusivity(unchecked) private final var value: Value?

  init(_ definition: AnyAtomDefinition, _ value: Value?) {
    super.init(definition, Equality.of(Value.self), isSource: value != nil, size: MemoryLayout<Value>.size)
    stored = value
  }

  /// The value, or `nil` if there is none.
  private final var stored: Value? {
    get {
      if !hasNumbers { return value }
      return hasValue ? ValueSlot.value(Value.self) { $0.setNumber(knownNumber, size: numberSize) } : nil
    }
    set {
      hasValue = newValue != nil
      if !hasNumbers {
        value = newValue
      } else if let newValue {
        knownNumber = ValueSlot.with(newValue) { $0.number(size: numberSize) }
      }
    }
  }

  /// The payload of an optional that is not `nil`.
  ///
  /// Safe: an optional stores its payload first.
  @inline(__always)  // HP14
  private static func payload(_ optional: UnsafeMutablePointer<Value?>) -> UnsafeMutablePointer<Value> {
    unsafe UnsafeMutableRawPointer(optional).assumingMemoryBound(to: Value.self)
  }

  @inline(__always)  // HP14
  private static func copy(_ value: UnsafeMutablePointer<Value?>, to destination: ValueSlot) {
    unsafe destination.address.assumingMemoryBound(to: Value.self).initialize(to: payload(value).pointee)
  }

  @inline(__always)  // HP14
  private static func exchange(_ value: UnsafeMutablePointer<Value?>, with other: ValueSlot) {
    let value = unsafe payload(value)
    let other = unsafe other.address.assumingMemoryBound(to: Value.self)
    let former = unsafe value.pointee
    unsafe value.pointee = other.pointee
    unsafe other.pointee = former
  }

  private static func areEqual(
    _ value: UnsafeMutablePointer<Value?>, _ other: ValueSlot, _ equality: Unretained<Equality>
  ) -> Bool {
    equality.with { unsafe $0.areEqual(payload(value), other.address) }
  }

  override func copyValue(to destination: ValueSlot) { unsafe Self.copy(&value, to: destination) }

  override func exchangeValue(with other: ValueSlot) -> Bool {
    if !hasValue {
      setFirstValue(other)
      return false
    }
    unsafe Self.exchange(&value, with: other)
    return true
  }

  @inline(never)  // HP14
  private final func setFirstValue(_ new: ValueSlot) {
    value = new.move(as: Value.self)
    hasValue = true
  }

  override func replaceValue(with box: AnyPublished) -> AnyPublished? {
    defer { stored = box.value(as: Value.self) }
    return makeBox()
  }

  /// A copy of the value, under the graph's lock.
  final var knownValue: Value? { stored }

  /// Exchanges the value, and returns the former one.
  final func exchange(_ validity: Validity, with new: Value) -> Value? {
    let former = stored
    write(validity) { stored = new }
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
    return unsafe Self.copy(&value, like: other)
  }

  private static func copy(_ value: UnsafeMutablePointer<Value?>, like other: AnyPublished) -> AnyPublished {
    unsafe other.another(with: payload(value))
  }

  override func makeBox(of value: ValueSlot) -> AnyPublished { Published(value.value(as: Value.self)) }

  override func copyValue(of box: AnyPublished, to destination: ValueSlot) {
    unsafe destination.address.initializeMemory(as: Value.self, to: box.value(as: Value.self))
  }

  override func isEqual(_ one: AnyPublished, _ other: AnyPublished) -> Bool {
    unsafe one.withAddress { unsafe isEqual(other, to: ValueSlot(UnsafeMutableRawPointer(mutating: $0))) }
  }

  override func isEqual(_ one: AnyPublished, to other: ValueSlot) -> Bool {
    equality?.with { $0.areEqual(one, to: other) } ?? false
  }

  override func isEqual(to other: ValueSlot) -> Bool {
    guard hasValue, let equality else { return false }
    if hasNumbers {
      return ValueSlot.withNumber(knownNumber, size: numberSize) { known in
        equality.with { unsafe $0.areEqual(known.address, other.address) }
      }
    }
    return unsafe Self.areEqual(&value, other, equality)
  }

  override func anyValue(of box: AnyPublished) -> any Sendable { box.value(as: Value.self) }
}

/// A cell whose value a closure computes.
final class DerivedCell<Value: Sendable>: TypedCell<Value>, @unchecked Sendable {
  // The cell has its own reference, because the atom can go while the closure runs.
  private let formula: @Sendable () -> Value

  init(_ definition: AnyAtomDefinition, _ formula: @escaping @Sendable () -> Value) {
    self.formula = formula
    super.init(definition, nil)
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
