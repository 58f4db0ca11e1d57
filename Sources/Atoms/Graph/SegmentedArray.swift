/// An array that moves only a bounded number of elements when it grows, so that no append takes long.
///
/// The first segment grows like an array, up to a constant size. Each further segment has that size, and is allocated
/// when its first element is appended. Its elements never move. So an append moves at most half of the first segment,
/// or the addresses of the segments. There is one address for each 1,024 elements. Unless elements are removed, at most
/// one segment has unused room.
@safe struct SegmentedArray<Element> {
  // Invariant: `segments` equals `storage.segments`, and the first `count` elements are initialized. Each mutation
  // first makes the storage unique. So arrays on different threads share only storage that does not change.

  private typealias Storage = SegmentStorage<Element>

  private var storage = Storage()
  private var segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
  var count: Int { storage.count }

  init() { unsafe segments = storage.segments }

  @inline(__always)  // HP13
  private func pointer(_ index: Int) -> UnsafeMutablePointer<Element> {
    precondition(
      UInt(bitPattern: index) < UInt(bitPattern: storage.count),
      "Atoms: an index is out of range. This is a bug in Atoms.")
    let place = Storage.place(index)
    return unsafe segments[place.segment] + place.index
  }

  @inline(__always)  // HP13
  private mutating func makeUnique() { if !isKnownUniquelyReferenced(&storage) { copyStorage() } }

  @inline(never)  // HP13
  private mutating func copyStorage() {
    let copy = Storage()
    for element in self { copy.append(element) }
    storage = copy
    unsafe segments = copy.segments
  }

  mutating func append(_ element: Element) {
    makeUnique()
    storage.append(element)
    unsafe segments = storage.segments
  }

  /// Removes the last element, and keeps the memory.
  mutating func removeLast() -> Element {
    makeUnique()
    let last = unsafe pointer(count - 1)
    storage.count -= 1
    return unsafe last.move()
  }

  mutating func popLast() -> Element? { isEmpty ? nil : removeLast() }
}

extension SegmentedArray: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Element {
    @inline(__always)  // HP13
    _read { yield unsafe pointer(index).pointee }
    @inline(__always)  // HP13
    _modify {
      makeUnique()
      yield unsafe &pointer(index).pointee
    }
  }
}

extension SegmentedArray {
  /// Direct access to the elements of an array, valid until the array is copied, grows, or is released.
  ///
  /// Code that changes several elements checks only once, not at each change, that no copy shares the storage.
  @safe struct Places {
    fileprivate let segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
    fileprivate let count: Int

    subscript(index: Int) -> Place {
      @inline(__always)  // HP23
      get {
        precondition(
          UInt(bitPattern: index) < UInt(bitPattern: count), "Atoms: an index is out of range. This is a bug in Atoms.")
        let place = Storage.place(index)
        return unsafe Place(pointer: segments[place.segment] + place.index)
      }
    }
  }

  /// Direct access to one element of an array, valid as long as the `Places` that returned it.
  @safe struct Place {
    fileprivate let pointer: UnsafeMutablePointer<Element>

    var value: Element {
      @inline(__always)  // HP23
      _read { yield unsafe pointer.pointee }
      @inline(__always)  // HP23
      nonmutating _modify { yield unsafe &pointer.pointee }
    }
  }

  /// Returns direct access to the elements.
  ///
  /// The caller must not use it after the array is copied, grows, or is released.
  @inline(__always)  // HP23
  mutating func places() -> Places {
    makeUnique()
    return unsafe Places(segments: segments, count: count)
  }
}

extension SegmentedArray: @unchecked Sendable where Element: Sendable {}

extension SegmentedArray: Equatable where Element: Equatable {
  static func == (one: SegmentedArray, other: SegmentedArray) -> Bool { one.elementsEqual(other) }
}

extension SegmentedArray: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) { for element in self { hasher.combine(element) } }
}

/// The memory of a segmented array.
@safe private final class SegmentStorage<Element> {
  private(set) var segments: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
  /// The number of elements, all of which are initialized.
  var count = 0
  /// The number of elements for which the segments have room.
  private var capacity = 0
  /// The number of addresses for which `segments` has room.
  private var segmentCapacity = 4

  /// The capacity of a segment, a power of 2.
  private static var segmentSize: Int { 1_024 }

  init() { unsafe segments = .allocate(capacity: segmentCapacity) }

  /// The number of the segment that contains an element, and the element's index in it.
  @inline(__always)  // HP13
  static func place(_ index: Int) -> (segment: Int, index: Int) {
    (index &>> segmentSize.trailingZeroBitCount, index & (segmentSize &- 1))
  }

  deinit {
    for first in stride(from: 0, to: capacity, by: Self.segmentSize) {
      let segment = unsafe segments[Self.place(first).segment]
      unsafe segment.deinitialize(count: max(0, min(count - first, Self.segmentSize)))
      unsafe segment.deallocate()
    }
    unsafe segments.deallocate()
  }

  func append(_ element: Element) {
    if count == capacity { grow() }
    let place = Self.place(count)
    unsafe (segments[place.segment] + place.index).initialize(to: element)
    count += 1
  }

  private func grow() {
    if capacity < Self.segmentSize { return growFirstSegment() }
    let segment = Self.place(capacity).segment
    if segment == segmentCapacity { growAddresses() }
    unsafe segments[segment] = .allocate(capacity: Self.segmentSize)
    capacity += Self.segmentSize
  }

  private func growFirstSegment() {
    let former = capacity
    capacity = max(4, 2 * capacity)
    let first = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    if former > 0 {
      unsafe first.moveInitialize(from: segments[0], count: count)
      unsafe segments[0].deallocate()
    }
    unsafe segments[0] = first
  }

  private func growAddresses() {
    let larger = UnsafeMutablePointer<UnsafeMutablePointer<Element>>.allocate(capacity: 2 * segmentCapacity)
    unsafe larger.moveInitialize(from: segments, count: segmentCapacity)
    unsafe segments.deallocate()
    unsafe segments = larger
    segmentCapacity *= 2
  }
}
