/// The watched selections of one store, as pure logic.
///
/// Equal key paths share one selection. A key path may contain keys of user-defined types, and hashing or comparing
/// them runs user code. So the caller hashes a key before it takes the lock (`SelectionKey`), compares the candidates
/// outside the lock, and adds its own selection only if no other candidate was added meanwhile.
struct SubscriptionHubStateMachine: Sendable {
  /// All selections, in an order that is the same in every run of a simulated schedule.
  ///
  /// The order determines the order in which subscribers wake.
  private(set) var all = KeyedArray<ObjectIdentifier, SharedSelection>()
  private var byHash: [Int: [SharedSelection]] = [:]
  private(set) var isFinished = false

  /// The selections whose keys may equal the given key.
  ///
  /// The caller compares them outside the lock.
  func candidates(_ key: SelectionKey) -> [SharedSelection] { byHash[key.hash] ?? [] }

  func contains(_ selection: any AnySelection) -> Bool { all[ObjectIdentifier(selection)] != nil }

  /// Adds a selection, or returns `false` if another candidate has been added since the caller compared them.
  mutating func add(_ shared: SharedSelection, after compared: [SharedSelection]) -> Bool {
    if let key = shared.key {
      let now = byHash[key.hash] ?? []
      let known = Set(compared.map { ObjectIdentifier($0.selection) })
      guard now.allSatisfy({ known.contains(ObjectIdentifier($0.selection)) }) else { return false }
      byHash[key.hash] = now + [shared]
    }
    all[ObjectIdentifier(shared.selection)] = shared
    return true
  }

  /// Removes a selection without subscribers and returns it.
  ///
  /// The caller releases it outside the lock.
  mutating func removeIfUnwatched(_ selection: any AnySelection) -> SharedSelection? {
    guard selection.broadcast.isEmpty, let shared = all.remove(ObjectIdentifier(selection)) else {
      return nil
    }
    if let key = shared.key {
      byHash[key.hash]?.removeAll { $0.selection === selection }
      if byHash[key.hash]?.isEmpty == true { byHash[key.hash] = nil }
    }
    return shared
  }

  mutating func finish() -> [SharedSelection] {
    isFinished = true
    return all.values
  }
}

/// A key path and its hash, by which subscriptions find a selection to share.
struct SelectionKey: Sendable {
  let path: any AnyKeyPath & Sendable
  /// Whether the selection drops repeated values before it publishes them.
  let dropsRepeats: Bool
  let hash: Int

  init(_ path: any AnyKeyPath & Sendable, dropsRepeats: Bool) {
    self.path = path
    self.dropsRepeats = dropsRepeats
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(dropsRepeats)
    hash = hasher.finalize()
  }

  func matches(_ other: SelectionKey) -> Bool { dropsRepeats == other.dropsRepeats && path == other.path }
}

/// A watched selection, and the key by which subscriptions share it.
///
/// Selections of closures have no key.
struct SharedSelection: Sendable {
  let selection: any AnySelection
  let key: SelectionKey?
}
