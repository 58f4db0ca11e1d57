/// A hash table that grows and shrinks by one bucket at a time, so that no change takes long.
///
/// An insertion splits at most one bucket, and a removal undoes two splits at most. A bucket has at most two elements on
/// average, if the low bits of the hash values are random.
///
/// Linear hashing (Litwin, "Linear Hashing: A New Tool for File and Table Addressing", 1980).
struct LinearHashTable<Element: Sendable>: Sendable {
  struct Slot: Sendable {
    let hash: Int
    let element: Element
  }

  private var buckets = SegmentedArray<[Slot]>()
  private(set) var count = 0
  /// The number of buckets at the beginning of the current round of splits, a power of 2.
  private var roundSize = 1
  /// The bucket that `nextBucket` returns next.
  private var next = 0
  /// The number of slots in the buckets that insertions have split, for tests.
  private(set) var moveCount = 0

  private static var elementsPerBucket: Int { 2 }

  init() { buckets.append([]) }

  /// The number of buckets.
  var bucketCount: Int { buckets.count }

  private func bucket(of hash: Int) -> Int {
    let index = hash & (2 * roundSize - 1)
    return index < buckets.count ? index : hash & (roundSize - 1)
  }

  /// The bucket that contains the elements with a hash value, and possibly others.
  ///
  /// Takes constant time and copies no slots.
  func slots(_ hash: Int) -> [Slot] { buckets[bucket(of: hash)] }

  /// The elements with a hash value.
  ///
  /// Takes constant time on average.
  func elements(_ hash: Int) -> [Element] { slots(hash).compactMap { $0.hash == hash ? $0.element : nil } }

  /// Adds an element, in constant time on average.
  mutating func insert(_ element: Element, _ hash: Int) {
    buckets[bucket(of: hash)].append(Slot(hash: hash, element: element))
    count += 1
    if count > Self.elementsPerBucket * buckets.count { split() }
  }

  /// Splits the first bucket that has not been split in this round.
  private mutating func split() {
    let index = buckets.count - roundSize
    let slots = buckets[index]
    buckets[index] = slots.filter { $0.hash & roundSize == 0 }
    buckets.append(slots.filter { $0.hash & roundSize != 0 })
    moveCount += slots.count
    if buckets.count == 2 * roundSize { roundSize *= 2 }
  }

  /// Undoes the last split.
  private mutating func merge() {
    if buckets.count == roundSize { roundSize /= 2 }
    let slots = buckets.removeLast()
    buckets[buckets.count - roundSize] += slots
    moveCount += slots.count
  }

  /// Removes and returns the elements that have a hash value and satisfy a predicate, in constant time on average.
  mutating func remove(_ hash: Int, where isRemoved: (Element) -> Bool) -> [Element] {
    let index = bucket(of: hash)
    let slots = buckets[index]
    let removed = slots.filter { $0.hash == hash && isRemoved($0.element) }
    if removed.isEmpty { return [] }
    buckets[index] = slots.filter { $0.hash != hash || !isRemoved($0.element) }
    count -= removed.count
    for _ in 0..<2 where count < buckets.count / 2 { merge() }
    return removed.map(\.element)
  }

  /// Returns the slots of the next bucket, and starts again after the last one.
  mutating func nextBucket() -> [Slot] {
    if next >= buckets.count { next = 0 }
    defer { next += 1 }
    return buckets[next]
  }
}
