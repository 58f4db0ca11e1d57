/// The selections of one store that somebody watches.
///
/// Those of equal key paths are one. A key path may hold keys of the user's, whose hash and comparison are code of
/// theirs: so a hash is taken before the lock, and what it finds is compared outside and looked for again.
struct Selections: Sendable {
  struct Key: Sendable {
    let path: any AnyKeyPath & Sendable
    /// Whether repeats are left out before they are published.
    let isCompared: Bool
    let hash: Int

    init(_ path: any AnyKeyPath & Sendable, isCompared: Bool) {
      self.path = path
      self.isCompared = isCompared
      var hasher = Hasher()
      hasher.combine(path)
      hasher.combine(isCompared)
      hash = hasher.finalize()
    }

    func matches(_ other: Key) -> Bool { isCompared == other.isCompared && path == other.path }
  }

  /// A selection that is watched, and what it may be shared by.
  struct Entry: Sendable {
    let selection: any AnySelection
    let key: Key?
  }

  /// In an order that is the same in every run of a simulated schedule, as the wake-ups of their subscribers follow it.
  private(set) var all = KeyedArray<ObjectIdentifier, Entry>()
  private var byHash: [Int: [Entry]] = [:]
  private(set) var isFinished = false

  /// What may be the selection of a key; to be compared outside.
  func candidates(_ key: Key) -> [Entry] { byHash[key.hash] ?? [] }

  func contains(_ selection: any AnySelection) -> Bool { all[ObjectIdentifier(selection)] != nil }

  /// Adds a selection, unless one that may be the same has come since the candidates were compared.
  mutating func add(_ entry: Entry, after candidates: [Entry]) -> Bool {
    if let key = entry.key {
      let now = byHash[key.hash] ?? []
      let known = Set(candidates.map { ObjectIdentifier($0.selection) })
      guard now.allSatisfy({ known.contains(ObjectIdentifier($0.selection)) }) else { return false }
      byHash[key.hash] = now + [entry]
    }
    all[ObjectIdentifier(entry.selection)] = entry
    return true
  }

  /// Takes out a selection that nobody watches any more; returns it, to be let go after the lock.
  mutating func removeIfEmpty(_ selection: any AnySelection) -> Entry? {
    guard selection.broadcast.isEmpty, let entry = all.remove(ObjectIdentifier(selection)) else {
      return nil
    }
    if let key = entry.key {
      byHash[key.hash]?.removeAll { $0.selection === selection }
      if byHash[key.hash]?.isEmpty == true { byHash[key.hash] = nil }
    }
    return entry
  }

  mutating func finish() -> [Entry] {
    isFinished = true
    return all.values
  }
}
