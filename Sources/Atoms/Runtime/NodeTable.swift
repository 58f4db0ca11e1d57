import Synchronization

/// A hash table from addresses to addresses that threads read without a lock.
///
/// Changes are made under the store's lock. A reader may miss an entry if the buffers change during its search, and
/// then looks again under the lock. It never gets the wrong entry, as long as the key exists during the call.
///
/// Because other threads wait for the lock, no insertion moves all entries. When 13/16 of a buffer are used, each
/// insertion prepares a few slots of the next buffer. When that buffer is ready, each insertion moves the entries of a
/// few slots to it. Until all entries have moved, a failed search continues in the former buffer, which keeps the moved
/// entries.
///
/// Linear probing with multiplicative hashing (Knuth, "The Art of Computer Programming", volume 3, 6.4).
@safe final class NodeTable: @unchecked Sendable {
  // Invariant: `current` and the buffers it has pointed to stay allocated until deinit, so a reader never sees freed
  // memory. A buffer is reused only with a new generation number, so a slow reader notices the reuse. The other
  // properties are accessed under the store's lock only.

  private struct Slot: ~Copyable {
    /// 0 for a slot that was never used, 1 for a removed entry.
    let key = Atomic<UInt>(0)
    let value = Atomic<UInt>(0)
  }

  @safe private struct Header: ~Copyable {
    let mask: Int
    /// Odd while the slots are being prepared.
    let generation = Atomic<Int>(0)
    /// The former buffer, while its entries move to this one.
    let former: Atomic<UnsafeMutableRawPointer?>
    let slots: UnsafeMutablePointer<Slot>
    /// Whether all slots are initialized.
    var isInitialized = false

    init(capacity: Int) {
      mask = capacity - 1
      unsafe former = Atomic(nil)
      unsafe slots = .allocate(capacity: capacity)
    }

    // Slots are trivial, so even a partly initialized buffer needs no deinitialization.
    deinit { unsafe slots.deallocate() }

    var capacity: Int { mask + 1 }

    func start(_ key: UInt) -> Int {
      Int(truncatingIfNeeded: (UInt64(key >> 4) &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask
    }
  }

  private typealias Buffer = UnsafeMutablePointer<Header>

  private let current: Atomic<UnsafeMutableRawPointer>
  /// All buffers.
  ///
  /// There are at most two of each size, and the sizes double, so together they are less than four times as large as
  /// the last one.
  private var buffers: [Buffer]
  /// The buffer to which `current` points.
  private var newest: Buffer
  /// The buffer that insertions are preparing, if any.
  private var next: Buffer?
  /// A buffer that is as large as the newest one and contains no entries that readers need.
  private var spare: Buffer?
  /// The index of the next slot to prepare, or of the next slot whose entry moves.
  private var nextSlot = 0
  /// The number of buffers, for tests.
  var bufferCount: Int { unsafe buffers.count }
  private(set) var count = 0
  /// The number of slots of the newest buffer that are not empty, including those of removed entries.
  private var used = 0
  /// The number of slots that insertions have prepared, or from which they have moved the entries, for tests.
  private(set) var stepCount = 0

  /// The number of slots that an insertion prepares, or from which it moves the entries.
  ///
  /// So at most seven eighths of a buffer are used when the next one is ready, and at most five eighths of the next one
  /// when all entries have moved.
  static var stepsPerInsertion: Int { 32 }

  init() {
    unsafe newest = .allocate(capacity: 1)
    unsafe newest.initialize(to: Header(capacity: 16))
    unsafe current = Atomic(UnsafeMutableRawPointer(newest))
    unsafe buffers = [newest]
    for index in 0..<16 { unsafe (newest.pointee.slots + index).initialize(to: Slot()) }
    unsafe newest.pointee.isInitialized = true
  }

  deinit {
    for index in unsafe buffers.indices {
      unsafe buffers[index].deinitialize(count: 1)
      unsafe buffers[index].deallocate()
    }
  }

  /// The value of a key, or 0 if a reader without the lock does not find it.
  @inline(__always)  // HP13
  func find(_ key: UInt) -> UInt {
    let buffer = unsafe current.load(ordering: .acquiring).assumingMemoryBound(to: Header.self)
    let value = unsafe Self.find(key, buffer)
    return unsafe value == 0 ? Self.findInFormer(key, buffer) : value
  }

  @inline(never)  // HP13
  private static func findInFormer(_ key: UInt, _ buffer: Buffer) -> UInt {
    guard let former = unsafe buffer.pointee.former.load(ordering: .acquiring) else { return 0 }
    return unsafe find(key, former.assumingMemoryBound(to: Header.self))
  }

  @inline(__always)  // HP13
  private static func find(_ key: UInt, _ buffer: Buffer) -> UInt {
    let generation = unsafe buffer.pointee.generation.load(ordering: .acquiring)
    let mask = unsafe buffer.pointee.mask
    var index = unsafe buffer.pointee.start(key)
    for _ in 0...mask {
      let found = unsafe buffer.pointee.slots[index].key.load(ordering: .acquiring)
      if found == key {
        let value = unsafe buffer.pointee.slots[index].value.load(ordering: .acquiring)
        let isStable = unsafe generation & 1 == 0 && buffer.pointee.generation.load(ordering: .relaxed) == generation
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
    if let former = unsafe newest.pointee.former.load(ordering: .relaxed) {
      unsafe moveEntries(from: former.assumingMemoryBound(to: Header.self))
    } else if let next = unsafe next {
      unsafe prepare(next)
    } else if unsafe used * 16 >= newest.pointee.capacity * 13 {
      unsafe prepare(startNext())
    }
    put(key, value)
    count += 1
  }

  func remove(_ key: UInt) {
    var isRemoved = unsafe Self.remove(key, newest)
    if let former = unsafe newest.pointee.former.load(ordering: .relaxed) {
      isRemoved = unsafe Self.remove(key, former.assumingMemoryBound(to: Header.self)) || isRemoved
    }
    if isRemoved { count -= 1 }
  }

  private static func remove(_ key: UInt, _ buffer: Buffer) -> Bool {
    var index = unsafe buffer.pointee.start(key)
    while true {
      let found = unsafe buffer.pointee.slots[index].key.load(ordering: .relaxed)
      if found == 0 { return false }
      if found == key {
        unsafe buffer.pointee.slots[index].key.store(1, ordering: .releasing)
        return true
      }
      index = unsafe (index + 1) & buffer.pointee.mask
    }
  }

  /// Puts an entry into the first free slot.
  private func put(_ key: UInt, _ value: UInt) {
    var index = unsafe newest.pointee.start(key)
    while true {
      let found = unsafe newest.pointee.slots[index].key.load(ordering: .relaxed)
      if found <= 1 {
        unsafe newest.pointee.slots[index].value.store(value, ordering: .releasing)
        unsafe newest.pointee.slots[index].key.store(key, ordering: .releasing)
        if found == 0 { used += 1 }
        return
      }
      index = unsafe (index + 1) & newest.pointee.mask
    }
  }

  // MARK: Steps to the next buffer

  /// Begins to prepare a buffer, which is larger unless many slots belong to removed entries.
  private func startNext() -> Buffer {
    let capacity = unsafe newest.pointee.capacity
    let isLarger = count * 2 > capacity
    let buffer: Buffer
    if !isLarger, let spare = unsafe spare {
      unsafe buffer = spare
    } else {
      unsafe buffer = .allocate(capacity: 1)
      unsafe buffer.initialize(to: Header(capacity: isLarger ? capacity * 2 : capacity))
      unsafe buffers.append(buffer)
    }
    unsafe spare = nil
    unsafe next = buffer
    nextSlot = 0
    unsafe buffer.pointee.generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
    return unsafe buffer
  }

  /// Empties a few slots of the next buffer.
  ///
  /// When all of its slots are empty, it becomes the newest one.
  private func prepare(_ buffer: Buffer) {
    let end = unsafe min(nextSlot + Self.stepsPerInsertion, buffer.pointee.capacity)
    for index in nextSlot..<end {
      if unsafe buffer.pointee.isInitialized {
        unsafe buffer.pointee.slots[index].key.store(0, ordering: .sequentiallyConsistent)
      } else {
        unsafe (buffer.pointee.slots + index).initialize(to: Slot())
      }
    }
    stepCount += end - nextSlot
    nextSlot = end
    if unsafe end < buffer.pointee.capacity { return }
    unsafe buffer.pointee.isInitialized = true
    unsafe buffer.pointee.generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
    unsafe buffer.pointee.former.store(UnsafeMutableRawPointer(newest), ordering: .releasing)
    unsafe current.store(UnsafeMutableRawPointer(buffer), ordering: .releasing)
    unsafe newest = buffer
    unsafe next = nil
    (used, nextSlot) = (0, 0)
  }

  /// Moves the entries of a few slots of the former buffer to the newest one.
  private func moveEntries(from former: Buffer) {
    let end = unsafe min(nextSlot + Self.stepsPerInsertion, former.pointee.capacity)
    for index in nextSlot..<end {
      let key = unsafe former.pointee.slots[index].key.load(ordering: .relaxed)
      if key > 1 { unsafe put(key, former.pointee.slots[index].value.load(ordering: .relaxed)) }
    }
    stepCount += end - nextSlot
    nextSlot = end
    if unsafe end < former.pointee.capacity { return }
    unsafe newest.pointee.former.store(nil, ordering: .releasing)
    if unsafe former.pointee.capacity == newest.pointee.capacity { unsafe spare = former }
  }
}
