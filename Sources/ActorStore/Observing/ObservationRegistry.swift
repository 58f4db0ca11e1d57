/// The closures that observe a store: the logic alone.
///
/// The IDs that tell an owner's observations apart are user code to hash and to compare, so neither happens under the
/// lock. The caller hashes an ID first (`Key`), gets the observations that may have an equal one, compares them, and adds
/// its own only if no other has come meanwhile.
struct ObservationRegistry: Sendable {
  /// The owner of an observation and the hash of its ID.
  struct Key: Sendable {
    let owner: ObjectIdentifier
    let hash: Int

    init(owner: ObjectIdentifier, id: (any Hashable & Sendable)?) {
      self.owner = owner
      hash = id.map { AnyHashable($0) }.hashValue
    }
  }

  private struct Observations: Sendable {
    var all = KeyedArray<ObjectIdentifier, ObservationToken>()
    var byHash: [Int: [ObservationToken]] = [:]
  }

  private var all = KeyedArray<ObjectIdentifier, ObservationToken>()
  private var byOwner: [ObjectIdentifier: Observations] = [:]
  private var countToLookThrough = 16

  var count: Int { all.count }

  /// The observations of an owner, or of one that was at its address before.
  func tokens(of owner: ObjectIdentifier) -> [ObservationToken] { byOwner[owner]?.all.values ?? [] }

  /// One of the observations of an owner, or of one that was at its address before.
  ///
  /// All of them have the same owner: the first observation of a new one removes those of the owner before it.
  func anyToken(of owner: ObjectIdentifier) -> ObservationToken? { byOwner[owner]?.all.first }

  /// The observations whose owner and ID may be those of a key.
  func candidates(_ key: Key) -> [ObservationToken] { byOwner[key.owner]?.byHash[key.hash] ?? [] }

  /// Adds an observation, unless another candidate has come since the caller compared them.
  mutating func add(_ token: ObservationToken, after compared: [ObservationToken]) -> Bool {
    let key = token.key
    guard candidates(key).allSatisfy({ one in compared.contains { $0 === one } }) else { return false }
    let identifier = ObjectIdentifier(token)
    all[identifier] = token
    byOwner[key.owner, default: Observations()].all[identifier] = token
    byOwner[key.owner, default: Observations()].byHash[key.hash, default: []].append(token)
    return true
  }

  /// Does nothing for an observation that is not there any more.
  mutating func remove(_ token: ObservationToken) {
    let (key, identifier) = (token.key, ObjectIdentifier(token))
    guard all.remove(identifier) != nil else { return }
    _ = byOwner[key.owner]?.all.remove(identifier)
    byOwner[key.owner]?.byHash[key.hash]?.removeAll { $0 === token }
    if byOwner[key.owner]?.byHash[key.hash]?.isEmpty == true { byOwner[key.owner]?.byHash[key.hash] = nil }
    if byOwner[key.owner]?.all.isEmpty == true { byOwner[key.owner] = nil }
  }

  /// All observations, to be searched for owners that are gone, once there are twice as many as the last search left.
  ///
  /// So the cost of the searches is O(1), amortized, for each observation that is added.
  mutating func toLookThrough() -> [ObservationToken] {
    count < countToLookThrough ? [] : all.values
  }

  mutating func lookedThrough() {
    countToLookThrough = max(16, 2 * count)
  }
}
