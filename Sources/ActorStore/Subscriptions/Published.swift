/// A value on its way to subscribers, without its type: so that all they do with it is compiled once, for the types it
/// has, and not looked up at each step.
@usableFromInline class AnyPublished: @unchecked Sendable {
  // The invariant that makes it sendable: the one subclass has nothing but a constant, itself sendable.

  @usableFromInline init() {}

  /// The value; to be asked for by the type it was made with, which is never left to inference: it might find an optional.
  ///
  /// The invariant that makes the cast safe: a broadcast belongs to one store or selection, which publishes values of one
  /// type only, and whose streams are of that type.
  func value<Value: Sendable>(as _: Value.Type) -> Value {
    unsafe unsafeDowncast(self, to: Published<Value>.self).value
  }
}

@usableFromInline final class Published<Value: Sendable>: AnyPublished, @unchecked Sendable {
  @usableFromInline let value: Value

  @usableFromInline
  init(_ value: Value) {
    self.value = value
  }
}
