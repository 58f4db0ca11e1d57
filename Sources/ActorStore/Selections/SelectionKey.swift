/// The identity of a selection, by which its consumers find each other.
///
/// Its hash is computed once. Hashing and comparing keys may run user code, so both happen without a lock.
struct SelectionKey: Hashable, Sendable {
  private enum Identity: Hashable, Sendable {
    case path(PathIdentity)
    /// Equals only itself. The key holds the object, so that its address is not used again.
    case unique(Unique)
    indirect case member(of: Unique, AnyParameter)
    indirect case part(of: Identity, PathIdentity)
  }

  private let identity: Identity
  let hash: Int

  private init(_ identity: Identity) {
    self.identity = identity
    hash = identity.hashValue
  }

  /// The key of the value at a key path.
  ///
  /// Equal key paths have equal keys.
  init(_ path: any AnyKeyPath & Sendable) { self.init(.path(PathIdentity(path: path))) }

  /// The key of a closure, which equals only itself.
  init() { self.init(.unique(Unique())) }

  /// The key of the member of a family with a parameter.
  init(_ parameter: any Hashable & Sendable, of family: Unique) {
    self.init(.member(of: family, AnyParameter(value: parameter)))
  }

  /// The key of a part of the values of this key.
  func appending(_ path: any AnyKeyPath & Sendable) -> SelectionKey {
    SelectionKey(.part(of: identity, PathIdentity(path: path)))
  }

  /// Whether the key names a key path, so that it needs no family to be found again.
  var isPath: Bool { if case .path = identity { true } else { false } }

  static func == (one: SelectionKey, other: SelectionKey) -> Bool {
    one.hash == other.hash && one.identity == other.identity
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// An identity that equals only itself.
final class Unique: Hashable, Sendable {
  static func == (one: Unique, other: Unique) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private struct PathIdentity: Hashable, Sendable {
  let path: any AnyKeyPath & Sendable

  static func == (one: PathIdentity, other: PathIdentity) -> Bool { one.path == other.path }
  func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

private struct AnyParameter: Hashable, Sendable {
  let value: any Hashable & Sendable

  static func == (one: AnyParameter, other: AnyParameter) -> Bool { AnyHashable(one.value) == AnyHashable(other.value) }
  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
