/// The identity of a selection, by which its consumers find each other.
///
/// Its hash is computed once. Hashing and comparing keys may run user code, so both happen without a lock.
///
/// It is not an enumeration, because an enumeration can store the number of its case in spare bits of an address.
/// LeakSanitizer does not recognize such an address as a reference, so it would report each selection in a constant as
/// a leak.
struct SelectionKey: Hashable, Sendable {
  /// An object that equals only itself, a member of a family, or the whole that `path` selects a part of.
  ///
  /// The key holds the object, so that its address is not used again.
  private final class Origin: Sendable {
    let key: SelectionKey?
    let parameter: (any Hashable & Sendable)?

    init(_ key: SelectionKey?, _ parameter: (any Hashable & Sendable)?) {
      self.key = key
      self.parameter = parameter
    }
  }

  private let origin: Origin?
  private let path: (any AnyKeyPath & Sendable)?
  private let hash: Int

  private init(_ origin: Origin?, _ path: (any AnyKeyPath & Sendable)?) {
    self.origin = origin
    self.path = path
    var hasher = Hasher()
    if let path { hasher.combine(path) }
    if let parameter = origin?.parameter { hasher.combine(parameter) }
    if let key = origin?.key { hasher.combine(key) } else { hasher.combine(origin.map { ObjectIdentifier($0) }) }
    hash = hasher.finalize()
  }

  /// The key of a closure or of a family, which equals only itself.
  init() { self.init(Origin(nil, nil), nil) }

  /// The key of the value at a key path.
  ///
  /// Equal key paths have equal keys.
  init(_ path: any AnyKeyPath & Sendable) { self.init(nil, path) }

  /// The key of the member of a family with a parameter.
  init(_ parameter: any Hashable & Sendable, of family: SelectionKey) { self.init(Origin(family, parameter), nil) }

  /// The family of all keys whose ID the caller provides.
  private static let identified = SelectionKey()

  /// The key of a selection with an ID.
  init(id: any Hashable & Sendable) { self.init(id, of: Self.identified) }

  /// The key of a part of the values of this key.
  func appending(_ path: any AnyKeyPath & Sendable) -> SelectionKey { SelectionKey(Origin(self, nil), path) }

  /// Whether the key names a key path, so that it needs no family to be found again.
  var isPath: Bool { origin == nil }

  static func == (one: SelectionKey, other: SelectionKey) -> Bool {
    guard one.hash == other.hash, areEqual(one.path, other.path) else { return false }
    if one.origin === other.origin { return true }
    guard let key = one.origin?.key, let otherKey = other.origin?.key, key == otherKey else { return false }
    return one.origin?.parameter.map { AnyHashable($0) } == other.origin?.parameter.map { AnyHashable($0) }
  }

  private static func areEqual(_ one: (any AnyKeyPath & Sendable)?, _ other: (any AnyKeyPath & Sendable)?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one == other
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
