/// What the library has found out about types, so that it does so only once for each type.
///
/// All values about one type have the same type.
struct TypeTable: ~Copyable, Sendable {
  private let values = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Returns the value about a type, which a closure makes the first time.
  func value<Value: AnyObject & Sendable>(of type: any Any.Type, _ make: () -> Value) -> Value {
    if let known = values.withLock({ $0[ObjectIdentifier(type)] }) { return known as! Value }
    let new = make()
    values.withLock { $0[ObjectIdentifier(type)] = new }
    return new
  }
}
