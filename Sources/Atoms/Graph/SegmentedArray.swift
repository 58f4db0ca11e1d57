/// An array whose elements never move when it grows, so that no append takes long.
///
/// The first segment grows as an array does, up to a constant size. Each further segment has room for as many elements
/// as all segments before it, and memory for it is reserved when its first element is appended. So an append moves a
/// constant number of elements, and there are O(log elements) segments.
struct SegmentedArray<Element> {
  private var first: ContiguousArray<Element> = []
  private var others: ContiguousArray<ContiguousArray<Element>> = []
  private(set) var count = 0

  /// The room of the first segment, a power of 2.
  static var firstCapacity: Int { 1_024 }

  init() {}

  /// The place of an element that is not in the first segment.
  @inline(__always)  // HP13
  private static func place(_ index: Int) -> (segment: Int, index: Int) {
    let exponent = Int.bitWidth - 1 - index.leadingZeroBitCount
    return (exponent - firstCapacity.trailingZeroBitCount, index - 1 << exponent)
  }

  mutating func append(_ element: Element) {
    defer { count += 1 }
    if count < Self.firstCapacity { return first.append(element) }
    let segment = Self.place(count).segment
    if segment == others.count {
      others.append([])
      others[segment].reserveCapacity(count)
    }
    others[segment].append(element)
  }

  /// Removes the last element, and keeps the memory.
  mutating func removeLast() -> Element {
    count -= 1
    return count < Self.firstCapacity ? first.removeLast() : others[Self.place(count).segment].removeLast()
  }

  mutating func popLast() -> Element? { isEmpty ? nil : removeLast() }
}

extension SegmentedArray: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Element {
    @inline(__always)  // HP13
    get {
      if index < Self.firstCapacity { return first[index] }
      let place = Self.place(index)
      return others[place.segment][place.index]
    }
    @inline(__always)  // HP13
    _modify {
      if index < Self.firstCapacity {
        yield &first[index]
      } else {
        let place = Self.place(index)
        yield &others[place.segment][place.index]
      }
    }
  }
}

extension SegmentedArray: Sendable where Element: Sendable {}

extension SegmentedArray: Equatable where Element: Equatable {
  static func == (one: SegmentedArray, other: SegmentedArray) -> Bool { one.elementsEqual(other) }
}

extension SegmentedArray: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) { for element in self { hasher.combine(element) } }
}
