/// The observations of one store, as pure logic.
///
/// Hashing or comparing the IDs that distinguish an owner's observations runs user code. So the caller hashes an ID
/// before it takes the lock (`Key`), compares the candidates outside the lock, and adds its own observation only if no
/// other candidate has been added since.
struct ObservationRegistryStateMachine: Sendable {
  /// The owner of an observation and the hash of its ID.
  struct Key: Sendable {
    let owner: ObjectIdentifier
    let hash: Int

    init(owner: ObjectIdentifier, id: any Hashable & Sendable) {
      self.owner = owner
      hash = AnyHashable(id).hashValue
    }
  }

  private struct OwnersObservations: Sendable {
    var all = KeyedArray<ObjectIdentifier, ObservationToken>()
    var byHash: [Int: [ObservationToken]] = [:]
  }

  private var all = KeyedArray<ObjectIdentifier, ObservationToken>()
  private var byOwner: [ObjectIdentifier: OwnersObservations] = [:]
  private var countToSearch = 16

  var count: Int { all.count }

  /// The observations of an owner, or of an earlier object at its address.
  func tokens(of owner: ObjectIdentifier) -> [ObservationToken] { byOwner[owner]?.all.values ?? [] }

  /// One of the observations of an owner, or of an earlier object at its address.
  ///
  /// All of them have the same owner, because the first observation of a new owner removes those of the earlier one.
  func anyToken(of owner: ObjectIdentifier) -> ObservationToken? { byOwner[owner]?.all.first }

  /// The observations whose owner and ID may be those of a key.
  func candidates(_ key: Key) -> [ObservationToken] { byOwner[key.owner]?.byHash[key.hash] ?? [] }

  /// Adds an observation, or returns `false` if another candidate has been added since the caller compared them.
  mutating func add(_ token: ObservationToken, after compared: [ObservationToken]) -> Bool {
    let key = token.key
    guard candidates(key).allSatisfy({ one in compared.contains { $0 === one } }) else { return false }
    let identifier = ObjectIdentifier(token)
    all[identifier] = token
    byOwner[key.owner, default: OwnersObservations()].all[identifier] = token
    byOwner[key.owner, default: OwnersObservations()].byHash[key.hash, default: []].append(token)
    return true
  }

  /// Removes an observation.
  ///
  /// Does nothing if it was already removed.
  mutating func remove(_ token: ObservationToken) {
    let (key, identifier) = (token.key, ObjectIdentifier(token))
    guard all.remove(identifier) != nil else { return }
    _ = byOwner[key.owner]?.all.remove(identifier)
    byOwner[key.owner]?.byHash[key.hash]?.removeAll { $0 === token }
    if byOwner[key.owner]?.byHash[key.hash]?.isEmpty == true { byOwner[key.owner]?.byHash[key.hash] = nil }
    if byOwner[key.owner]?.all.isEmpty == true { byOwner[key.owner] = nil }
  }

  /// The observations to search for owners that are gone: all of them, or none if it is too early for another search.
  ///
  /// A search is due when there are twice as many observations as the last search left. So searching costs constant
  /// time (amortized) for each added observation.
  func tokensToSearch() -> [ObservationToken] {
    count < countToSearch ? [] : all.values
  }

  mutating func endSearch() {
    countToSearch = max(16, 2 * count)
  }
}
