import ActorStore

/// Compares values of one type.
///
/// There is one object for each type, which is never released, so an atom needs only a pointer to it.
class Equality: @unchecked Sendable {
  // Invariant: the only subclass stores nothing.

  /// Compares two values in memory, which are of the type that this object is for.
  func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    preconditionFailure("Atoms: an abstract method was called.")
  }

  private static let known = Locked<[ObjectIdentifier: Equality?]>([:])

  /// The object for a type, or `nil` if its values cannot be compared on any thread.
  ///
  /// An `Equatable` conformance that is isolated to an actor does not count, unless the caller runs on that actor.
  static func of<Value>(_ type: Value.Type) -> Equality? {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    let comparable = type as? any (Equatable & SendableMetatype).Type
    let new: Equality? = if let comparable { make(comparable) } else { nil }
    return known.withLock { known in
      if let other = known[key] { return other }
      known[key] = .some(new)
      return new
    }
  }

  private static func make<Value: Equatable>(_: Value.Type) -> Equality { TypedEquality<Value>() }
}

private final class TypedEquality<Value: Equatable>: Equality, @unchecked Sendable {
  override func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
    unsafe one.assumingMemoryBound(to: Value.self).pointee == other.assumingMemoryBound(to: Value.self).pointee
  }
}
