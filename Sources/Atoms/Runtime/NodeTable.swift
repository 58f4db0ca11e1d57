import Synchronization

/// A hash table from addresses to addresses that threads read without a lock.
///
/// Changes are made under the store's lock. A reader may miss an entry while the table is rebuilt, and then looks again
/// under the lock. It never gets the wrong entry, as long as the key it looks for exists during the call.
///
/// Linear probing with multiplicative hashing (Knuth, "The Art of Computer Programming", volume 3, 6.4).
@safe final class NodeTable: @unchecked Sendable {
  // Invariant: `current` and the buffers it has pointed to stay allocated until deinit, so a reader never sees freed
  // memory. `keys` and `count` are accessed under the store's lock only.

  private struct Slot: ~Copyable {
    /// 0 for a slot that was never used, 1 for a removed entry.
    let key = Atomic<UInt>(0)
    let value = Atomic<UInt>(0)
  }

  @safe private struct Header: ~Copyable {
    let mask: Int
    /// Odd while the entries move.
    let generation = Atomic<Int>(0)
    let slots: UnsafeMutablePointer<Slot>

    init(capacity: Int) {
      mask = capacity - 1
      unsafe slots = .allocate(capacity: capacity)
      for index in 0..<capacity { unsafe (slots + index).initialize(to: Slot()) }
    }

    deinit {
      unsafe slots.deinitialize(count: mask + 1)
      unsafe slots.deallocate()
    }

    func start(_ key: UInt) -> Int { Int(truncatingIfNeeded: ((key >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask }
  }

  private let current: Atomic<UnsafeMutableRawPointer>
  /// All buffers, of which the last is the current one.
  ///
  /// Their sizes double, so together they are less than twice as large as the last one.
  private var headers: [UnsafeMutablePointer<Header>]
  private(set) var count = 0
  /// The number of slots that are not empty, including those of removed entries.
  private var used = 0

  init() {
    let header = UnsafeMutablePointer<Header>.allocate(capacity: 1)
    unsafe header.initialize(to: Header(capacity: 16))
    unsafe headers = [header]
    unsafe current = Atomic(UnsafeMutableRawPointer(header))
  }

  deinit {
    for index in unsafe headers.indices {
      unsafe headers[index].deinitialize(count: 1)
      unsafe headers[index].deallocate()
    }
  }

  /// The value of a key, or 0 if a reader without the lock does not find it.
  @inline(__always)  // HP13
  func find(_ key: UInt) -> UInt {
    let header = unsafe current.load(ordering: .acquiring).assumingMemoryBound(to: Header.self)
    let generation = unsafe header.pointee.generation.load(ordering: .acquiring)
    let mask = unsafe header.pointee.mask
    var index = unsafe header.pointee.start(key)
    for _ in 0...mask {
      let found = unsafe header.pointee.slots[index].key.load(ordering: .acquiring)
      if found == key {
        let value = unsafe header.pointee.slots[index].value.load(ordering: .acquiring)
        let isStable = unsafe generation & 1 == 0 && header.pointee.generation.load(ordering: .relaxed) == generation
        return isStable ? value : 0
      }
      if found == 0 { return 0 }
      index = (index + 1) & mask
    }
    return 0
  }

  // MARK: Changes, under the store's lock

  /// Adds an entry for a key that has none.
  func insert(_ key: UInt, _ value: UInt) {
    reserve()
    let header = unsafe headers[headers.count - 1]
    if unsafe put(key, value, header) { used += 1 }
    count += 1
  }

  func remove(_ key: UInt) {
    let header = unsafe headers[headers.count - 1]
    var index = unsafe header.pointee.start(key)
    while true {
      let found = unsafe header.pointee.slots[index].key.load(ordering: .relaxed)
      if found == 0 { return }
      if found == key {
        unsafe header.pointee.slots[index].key.store(1, ordering: .releasing)
        count -= 1
        return
      }
      index = unsafe (index + 1) & header.pointee.mask
    }
  }

  /// Puts an entry into the first free slot, and returns whether that slot was never used.
  private func put(_ key: UInt, _ value: UInt, _ header: UnsafeMutablePointer<Header>) -> Bool {
    var index = unsafe header.pointee.start(key)
    while true {
      let found = unsafe header.pointee.slots[index].key.load(ordering: .relaxed)
      if found <= 1 {
        unsafe header.pointee.slots[index].value.store(value, ordering: .releasing)
        unsafe header.pointee.slots[index].key.store(key, ordering: .releasing)
        return found == 0
      }
      index = unsafe (index + 1) & header.pointee.mask
    }
  }

  /// Makes room for an entry, so that an eighth of the slots was never used and a search ends soon.
  private func reserve() {
    let header = unsafe headers[headers.count - 1]
    let capacity = unsafe header.pointee.mask + 1
    if (used + 1) * 8 <= capacity * 7 { return }
    var entries: [(key: UInt, value: UInt)] = []
    entries.reserveCapacity(count)
    for index in 0..<capacity {
      let key = unsafe header.pointee.slots[index].key.load(ordering: .relaxed)
      if key > 1 { entries.append((key, unsafe header.pointee.slots[index].value.load(ordering: .relaxed))) }
    }
    if count * 2 > capacity {
      let larger = UnsafeMutablePointer<Header>.allocate(capacity: 1)
      unsafe larger.initialize(to: Header(capacity: capacity * 2))
      for entry in entries { _ = unsafe put(entry.key, entry.value, larger) }
      unsafe headers.append(larger)
      unsafe current.store(UnsafeMutableRawPointer(larger), ordering: .releasing)
    } else {
      // Most slots belong to removed entries. The entries move within the buffer, because a new buffer for each
      // rebuild would use memory without end.
      unsafe header.pointee.generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
      for index in 0..<capacity { unsafe header.pointee.slots[index].key.store(0, ordering: .sequentiallyConsistent) }
      for entry in entries { _ = unsafe put(entry.key, entry.value, header) }
      unsafe header.pointee.generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
    used = count
  }
}
