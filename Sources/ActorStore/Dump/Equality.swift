/// Compares values of one type, without a type parameter.
///
/// The code that holds it is therefore compiled once, for concrete types, and looks up no types at run time.
package class Equality: @unchecked Sendable {
  // Invariant: subclasses store nothing but constants of sendable types.

  /// Whether the values are numbers or Booleans of the standard library, so that a comparison is cheap and runs no user
  /// code.
  package final let isOfNumbers: Bool
  /// Whether the values are numbers or Booleans that differ if and only if their bits do.
  package final let comparesBits: Bool

  package init(isOfNumbers: Bool = false, comparesBits: Bool = false) {
    self.isOfNumbers = isOfNumbers
    self.comparesBits = comparesBits
  }

  /// Whether another object compares values in the same way.
  func matches(_ other: Equality) -> Bool { self === other }

  /// Hashes what equal objects have in common.
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Compares two values in memory, which are of the type that this object is for.
  package func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    preconditionFailure("ActorStore: an abstract method was called. This is a bug in ActorStore.")
  }

  /// Compares two values of the type that this object is for.
  package final func areEqual<Value>(_ one: Value, to other: Value) -> Bool {
    unsafe withUnsafePointer(to: one) { one in
      unsafe withUnsafePointer(to: other) { other in unsafe areEqual(one, other) }
    }
  }
}

/// Compares values by `==`, except that an unchanged value such as NaN equals itself.
package final class TypedEquality<Value: Equatable>: Equality, @unchecked Sendable {
  package init() {
    let type = ObjectIdentifier(Value.self)
    super.init(
      isOfNumbers: integerTypes.contains(type) || floatingPointTypes.contains(type),
      comparesBits: integerTypes.contains(type))
  }

  override func matches(_ other: Equality) -> Bool { other is TypedEquality }

  override func hash(into hasher: inout Hasher) {}

  package override func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    let one = unsafe one.assumingMemoryBound(to: Value.self)
    let other = unsafe other.assumingMemoryBound(to: Value.self)
    return unsafe isUnchanged(one.pointee, other.pointee)
  }
}

private let integerTypes: Set<ObjectIdentifier> = [
  ObjectIdentifier(Bool.self), ObjectIdentifier(Int.self), ObjectIdentifier(Int8.self), ObjectIdentifier(Int16.self),
  ObjectIdentifier(Int32.self), ObjectIdentifier(Int64.self), ObjectIdentifier(UInt.self),
  ObjectIdentifier(UInt8.self), ObjectIdentifier(UInt16.self), ObjectIdentifier(UInt32.self),
  ObjectIdentifier(UInt64.self),
]

private let floatingPointTypes: Set<ObjectIdentifier> = [ObjectIdentifier(Float.self), ObjectIdentifier(Double.self)]

/// Compares values by a closure.
final class ClosureEquality<Value>: Equality, @unchecked Sendable {
  // Invariant: it changes only during the initialization.
  private var isSame: @Sendable (Value, Value) -> Bool = { _, _ in false }

  convenience init(_ isSame: @escaping @Sendable (Value, Value) -> Bool) {
    self.init()
    self.isSame = isSame
  }

  override func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    unsafe isSame(one.assumingMemoryBound(to: Value.self).pointee, other.assumingMemoryBound(to: Value.self).pointee)
  }
}
