/// Values that the library makes once for each type.
///
/// In one table, all values for the same type have the same type themselves.
struct TypeTable: ~Copyable, Sendable {
  private let values = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Returns the value for a type, which a closure makes on first use.
  ///
  /// Threads that use a type for the first time at the same time can each make a value. The table keeps the last one.
  func value<Value: AnyObject & Sendable>(of type: any Any.Type, _ make: () -> Value) -> Value {
    if let known = values.withLock({ $0[ObjectIdentifier(type)] }) { return known as! Value }
    let new = make()
    values.withLock { $0[ObjectIdentifier(type)] = new }
    return new
  }
}

/// Casts a value whose type is known to be `Target`.
///
/// The source is generic, because a cast from a protocol with a state would look up that protocol's type (HP14).
func cast<Source, Target>(_ source: Source, to _: Target.Type) -> Target { source as! Target }
