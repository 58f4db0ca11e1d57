/// Who observes a store by closures: the logic alone.
///
/// What tells the observations of an owner apart is the user's to compare, and so is done without the lock: those that
/// are there are asked for and compared, and then one is added if no other has come meanwhile.
struct ObservationRegistry: Sendable {
  private var byOwner: [ObjectIdentifier: [ObservationToken]] = [:]
  private(set) var count = 0
  private var countToLookThrough = 16

  /// Those of an owner, or of one that was at its address before.
  func tokens(of owner: ObjectIdentifier) -> [ObservationToken] { byOwner[owner] ?? [] }

  /// Adds one, unless another of its owner has come since they were compared.
  mutating func add(_ token: ObservationToken, after compared: [ObservationToken]) -> Bool {
    let now = tokens(of: token.owner)
    guard now.allSatisfy({ one in compared.contains { $0 === one } }) else { return false }
    byOwner[token.owner] = now + [token]
    count += 1
    return true
  }

  /// Does nothing for one that is not there any more.
  mutating func remove(_ token: ObservationToken) {
    let before = tokens(of: token.owner)
    let rest = before.filter { $0 !== token }
    byOwner[token.owner] = rest.isEmpty ? nil : rest
    count -= before.count - rest.count
  }

  /// All, to be looked through for owners that are gone, when there are twice as many as were left the last time; so
  /// the cost for each that is added is O(1), amortised.
  mutating func toLookThrough() -> [ObservationToken] {
    if count < countToLookThrough { return [] }
    return byOwner.values.flatMap(\.self)
  }

  mutating func lookedThrough() {
    countToLookThrough = max(16, 2 * count)
  }
}
