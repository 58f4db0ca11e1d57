/// A published value without its type.
///
/// The code that handles it is therefore compiled once, for concrete types, and looks up no types at run time.
@usableFromInline package class AnyPublished: @unchecked Sendable {
  // Invariant: the only subclass stores nothing but a constant of a sendable type.

  @usableFromInline package init() {}

  /// Returns the value.
  ///
  /// The caller names the type with which the value was created. It never leaves the type to inference, which might
  /// choose an optional.
  ///
  /// This invariant makes the cast safe: a broadcast belongs to one store or selection, which publishes values of one
  /// type, and its streams have that type.
  package func value<Value: Sendable>(as _: Value.Type) -> Value {
    unsafe unsafeDowncast(self, to: Published<Value>.self).value
  }

  /// Returns a new box of the same type as this one, with a copy of a value in memory.
  ///
  /// Unspecialized code finds the type of the new box here, instead of looking it up.
  package func another(with value: UnsafeRawPointer) -> AnyPublished {
    preconditionFailure("ActorStore: an abstract method was called. This is a bug in ActorStore.")
  }

  /// Passes the address of the value to a closure, without a copy of the value.
  package func withAddress(_ body: (UnsafeRawPointer) -> Bool) -> Bool {
    preconditionFailure("ActorStore: an abstract method was called. This is a bug in ActorStore.")
  }
}

@usableFromInline package final class Published<Value: Sendable>: AnyPublished, @unchecked Sendable {
  @usableFromInline package let value: Value

  @usableFromInline
  package init(_ value: Value) {
    self.value = value
  }

  package override func another(with value: UnsafeRawPointer) -> AnyPublished {
    unsafe Published(value.assumingMemoryBound(to: Value.self).pointee)
  }

  package override func withAddress(_ body: (UnsafeRawPointer) -> Bool) -> Bool {
    unsafe withUnsafePointer(to: value) { unsafe body(UnsafeRawPointer($0)) }
  }
}

extension AnyPublished {
  /// Passes the value to a closure, without a copy of the value.
  package func read<Value: Sendable, Result>(as _: Value.Type, _ body: (Value) -> Result) -> Result {
    unsafe body(unsafeDowncast(self, to: Published<Value>.self).value)
  }

  /// Compares the value with another value of its type.
  func isEqual<Value>(to value: Value, by equality: Equality) -> Bool {
    unsafe withAddress { one in unsafe withUnsafePointer(to: value) { unsafe equality.areEqual(one, $0) } }
  }

  /// Compares the value with a stored part of the value of another box, in place.
  package func isEqual(toPartOf whole: AnyPublished, at offset: Int, by equality: Equality) -> Bool {
    unsafe whole.withAddress { whole in unsafe withAddress { unsafe equality.areEqual($0, whole + offset) } }
  }
}
