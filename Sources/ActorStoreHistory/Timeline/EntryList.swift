/// A list that adds at the end and removes at both ends in constant time.
struct EntryList<Entry: Sendable>: Sendable {
  private var storage: [Entry?] = []
  private var head = 0

  var count: Int { storage.count - head }
  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> Entry {
    guard let entry = storage[head + index] else {
      preconditionFailure("ActorStoreHistory: an entry of the history is missing. This is a bug in ActorStoreHistory.")
    }
    return entry
  }

  /// The index of the first entry that satisfies a predicate, or the number of entries: O(log entries).
  ///
  /// All entries after one that satisfies the predicate must satisfy it.
  func firstIndex(where isAfter: (Entry) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Changes an entry in place.
  mutating func update(_ index: Int, _ change: (inout Entry) -> Void) {
    change(&storage[head + index]!)
  }

  mutating func append(_ entry: Entry) { storage.append(entry) }

  mutating func insert(_ entry: Entry, at index: Int) { storage.insert(entry, at: head + index) }

  mutating func removeFirst() -> Entry {
    guard let entry = storage[head].take() else {
      preconditionFailure("ActorStoreHistory: the history has no entry to drop. This is a bug in ActorStoreHistory.")
    }
    head += 1
    // Each element is moved at most once for each one that has been removed.
    if head > storage.count / 2 {
      storage.removeFirst(head)
      head = 0
    }
    return entry
  }

  /// Removes the entry after the first one.
  mutating func removeSecond() -> Entry {
    let first = removeFirst()
    let second = self[0]
    storage[head] = first
    return second
  }

  /// Removes the entries from an index on, and returns them.
  mutating func removeEntries(from index: Int) -> [Entry] {
    let removed = (index..<count).map { self[$0] }
    storage.removeLast(removed.count)
    return removed
  }

  /// All entries, in order.
  var all: [Entry] { storage[head...].compactMap { $0 } }
}
