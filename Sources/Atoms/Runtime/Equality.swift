import ActorStore
import AtomThread

extension Equality {
  /// Compares the value of a box with a value in memory.
  final func areEqual(_ one: AnyPublished, to other: ValueSlot) -> Bool {
    unsafe one.withAddress { unsafe areEqual($0, other.address) }
  }

  /// There is one object for each type, which is never released, so an atom needs only a pointer to it.
  private static let known = Locked<[ObjectIdentifier: Equality?]>([:])

  /// The object for a type, or `nil` if its values cannot be compared on any thread.
  ///
  /// A conformance that is isolated to an actor does not count.
  static func of<Value>(_ type: Value.Type) -> Equality? {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    let new = find(type)
    return known.withLock { known in
      if let other = known[key] { return other }
      known[key] = .some(new)
      return new
    }
  }

  /// Looks for a conformance.
  ///
  /// The cast of a metatype accepts any conformance. The cast of a value rejects a conformance that is isolated to an
  /// actor, unless it runs on that actor. So a new thread casts a value, an empty array.
  private static func find<Value>(_ type: Value.Type) -> Equality? {
    guard let comparable = type as? any (Equatable & SendableMetatype).Type else { return nil }
    var cast = CastToEquatable(value: [Value]())
    unsafe withUnsafeMutablePointer(to: &cast) { pointer in
      unsafe atom_thread_run_elsewhere(runCast, UnsafeMutableRawPointer(pointer))
    }
    return cast.isEquatable ? make(comparable) : nil
  }

  private static func make<Value: Equatable>(_: Value.Type) -> Equality { TypedEquality<Value>() }
}

private struct CastToEquatable {
  let value: Any
  var isEquatable = false

  mutating func run() { isEquatable = value is any Equatable }
}

/// Runs a cast in memory, for which the caller waits.
private func runCast(_ cast: UnsafeMutableRawPointer) {
  unsafe cast.assumingMemoryBound(to: CastToEquatable.self).pointee.run()
}
