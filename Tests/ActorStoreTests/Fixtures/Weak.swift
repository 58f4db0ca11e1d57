/// A weak reference.
struct Weak<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object?) {
    self.object = object
  }
}

extension Weak: Sendable where Object: Sendable {}
