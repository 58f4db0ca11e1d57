import ActorStore

/// A cell with a value of a certain type.
///
/// `Room` is the type of the place for the value: `Value?`, or `Void` if the values are numbers, which `Cell` stores.
///
/// The operations are overrides, which are never specialized. Unspecialized code that handles an optional looks up its
/// type at run time, so they treat the payload of the optional as a value.
class TypedCell<Value: Sendable, Room>: Cell, @unchecked Sendable {
  // Invariant: `Room` is `Void` if and only if the values are numbers. Otherwise, the room is not `nil` if and only if
  // `hasValue`. Both are read under the cell's or the graph's lock and written under both.

  @safe @exclusivity(unchecked) private final var room: Room

  init(_ definition: AnyAtomDefinition, _ equality: Equality?, _ value: Value?, in room: Room) {
    self.room = room
    super.init(definition, equality, isSource: value != nil, size: MemoryLayout<Value>.size)
    stored = value
  }

  /// The value, or `nil` if there is none.
  private final var stored: Value? {
    get {
      if !hasNumbers { return unsafe Self.optional(&room).pointee }
      return hasValue ? ValueSlot.value(Value.self) { $0.setNumber(knownNumber, size: numberSize) } : nil
    }
    set {
      hasValue = newValue != nil
      if !hasNumbers {
        unsafe Self.optional(&room).pointee = newValue
      } else if let newValue {
        knownNumber = ValueSlot.with(newValue) { $0.number(size: numberSize) }
      }
    }
  }

  /// The room of a value that is not a number.
  private static func optional(_ room: UnsafeMutablePointer<Room>) -> UnsafeMutablePointer<Value?> {
    unsafe UnsafeMutableRawPointer(room).assumingMemoryBound(to: Value?.self)
  }

  /// The payload of an optional that is not `nil`.
  ///
  /// Safe: an optional stores its payload first.
  @inline(__always)  // HP14
  private static func payload(_ room: UnsafeMutablePointer<Room>) -> UnsafeMutablePointer<Value> {
    unsafe UnsafeMutableRawPointer(room).assumingMemoryBound(to: Value.self)
  }

  @inline(__always)  // HP14
  private static func copy(_ room: UnsafeMutablePointer<Room>, to destination: ValueSlot) {
    unsafe destination.address.assumingMemoryBound(to: Value.self).initialize(to: payload(room).pointee)
  }

  @inline(__always)  // HP14
  private static func exchange(_ room: UnsafeMutablePointer<Room>, with other: ValueSlot) {
    let value = unsafe payload(room)
    let other = unsafe other.address.assumingMemoryBound(to: Value.self)
    let former = unsafe value.pointee
    unsafe value.pointee = other.pointee
    unsafe other.pointee = former
  }

  private static func areEqual(
    _ room: UnsafeMutablePointer<Room>, _ other: ValueSlot, _ equality: Unretained<Equality>
  ) -> Bool {
    equality.with { unsafe $0.areEqual(payload(room), other.address) }
  }

  override func copyValue(to destination: ValueSlot) { unsafe Self.copy(&room, to: destination) }

  override func exchangeValue(with other: ValueSlot) -> Bool {
    if !hasValue {
      setFirstValue(other)
      return false
    }
    unsafe Self.exchange(&room, with: other)
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
    return unsafe Self.copy(&room, like: other)
  }

  private static func copy(_ room: UnsafeMutablePointer<Room>, like other: AnyPublished) -> AnyPublished {
    unsafe other.another(with: payload(room))
  }

  override func makeBox(of value: ValueSlot) -> AnyPublished { Published(value.value(as: Value.self)) }

  override func copyValue(of box: AnyPublished, to destination: ValueSlot) {
    unsafe destination.address.initializeMemory(as: Value.self, to: box.value(as: Value.self))
  }

  override func isEqual(_ one: AnyPublished, _ other: AnyPublished) -> Bool {
    unsafe one.withAddress { unsafe isEqual(other, to: ValueSlot(UnsafeMutableRawPointer(mutating: $0))) }
  }

  override func isEqual(_ one: AnyPublished, to other: ValueSlot) -> Bool {
    if !hasNumbers { return equality?.with { $0.areEqual(one, to: other) } ?? false }
    return unsafe one.withAddress { one in
      let one = unsafe ValueSlot(UnsafeMutableRawPointer(mutating: one))
      return areEqual(one.number(size: numberSize), other.number(size: numberSize))
    }
  }

  override func isEqual(to other: ValueSlot) -> Bool {
    guard hasValue, let equality else { return false }
    return unsafe Self.areEqual(&room, other, equality)
  }

  override func anyValue(of box: AnyPublished) -> any Sendable { box.value(as: Value.self) }
}

/// A cell whose value a closure computes.
final class DerivedCell<Value: Sendable, Room>: TypedCell<Value, Room>, @unchecked Sendable {
  // The cell has its own reference, because the atom can go while the closure runs.
  private let formula: @Sendable () -> Value

  init(
    _ definition: AnyAtomDefinition, _ equality: Equality?, _ formula: @escaping @Sendable () -> Value, in room: Room
  ) {
    self.formula = formula
    super.init(definition, equality, nil, in: room)
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
