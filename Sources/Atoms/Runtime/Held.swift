import ActorStore

/// A value that an atom holds, such as a closure, and that can hold other atoms.
///
/// Its release goes through the release queue. Definitions and families store the closures of their initializers this
/// way, except for those of derived atoms.
struct Held<Value: Sendable>: ~Copyable, Sendable {
  private let box: HeldBox

  init(_ value: Value) { box = HeldBox(Published(value)) }

  /// A copy of the value.
  var value: Value { box.object.with { $0.value(as: Value.self) } }
}

/// A reference whose release goes through the release queue.
///
/// It is a type without parameters, so that a release needs no metadata.
private struct HeldBox: ~Copyable, Sendable {
  let object: Unretained<AnyPublished>

  init(_ object: AnyPublished) { self.object = Unretained(holding: object) }

  deinit { ReleaseQueue.release(object.release()) }
}
