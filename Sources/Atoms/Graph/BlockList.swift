/// A list in ascending order, whose elements can be removed from anywhere.
///
/// It consists of blocks, so a removal moves fewer than 64 elements. If it empties a block, it also moves the pointers
/// to the following blocks.
struct BlockList<Element: Sendable>: Sendable {
  struct Index: Hashable, Sendable {
    fileprivate let block: Int
    fileprivate let place: Int
  }

  private static var blockSize: Int { 64 }

  /// All blocks but the last one, of which none is empty.
  private var blocks: [[Element]] = []
  /// The last block.
  ///
  /// It is stored inline, because there is hardly ever another one.
  private var tail: [Element] = []

  var isEmpty: Bool { tail.isEmpty && blocks.isEmpty }
  var first: Element? { blocks.first?.first ?? tail.first }
  var last: Element? { tail.last ?? blocks.last?.last }
  /// All elements, in order.
  var elements: [Element] { blocks.joined() + tail }

  subscript(index: Index) -> Element {
    get { block(index.block)[index.place] }
    set {
      if index.block < blocks.count {
        blocks[index.block][index.place] = newValue
      } else {
        tail[index.place] = newValue
      }
    }
  }

  /// Adds an element that is not less than any other one.
  mutating func append(_ element: Element) {
    if tail.count == Self.blockSize {
      blocks.append(tail)
      tail = []
    }
    tail.append(element)
  }

  /// Removes the last element of a nonempty list.
  mutating func removeLast() {
    if tail.isEmpty {
      blocks[blocks.count - 1].removeLast()
      if blocks[blocks.count - 1].isEmpty { blocks.removeLast() }
    } else {
      tail.removeLast()
    }
  }

  mutating func remove(at index: Index) {
    if index.block == blocks.count {
      tail.remove(at: index.place)
    } else {
      blocks[index.block].remove(at: index.place)
      if blocks[index.block].isEmpty { blocks.remove(at: index.block) }
    }
  }

  /// The index of the first element that satisfies a predicate, or `nil`: O(log elements).
  ///
  /// All elements after one that satisfies the predicate must satisfy it.
  func firstIndex(where isAfter: (Element) -> Bool) -> Index? {
    let index = lowerBound(isAfter)
    return index.place < block(index.block).count ? index : nil
  }

  /// The last element before those that satisfy a predicate, or `nil`: O(log elements).
  ///
  /// All elements after one that satisfies the predicate must satisfy it.
  func last(before isAfter: (Element) -> Bool) -> Element? {
    let index = lowerBound(isAfter)
    if index.place > 0 { return block(index.block)[index.place - 1] }
    return index.block > 0 ? blocks[index.block - 1].last : nil
  }

  /// The index of the first element that satisfies a predicate, or the end of the last block.
  private func lowerBound(_ isAfter: (Element) -> Bool) -> Index {
    let number = blocks.partitioningIndex { $0.last.map(isAfter) ?? false }
    return Index(block: number, place: block(number).partitioningIndex(where: isAfter))
  }

  private func block(_ number: Int) -> [Element] { number < blocks.count ? blocks[number] : tail }
}

extension BlockList: Equatable where Element: Equatable {
  static func == (one: BlockList, other: BlockList) -> Bool { one.elements == other.elements }
}

extension BlockList: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension RandomAccessCollection {
  /// The index of the first element that satisfies a predicate, or the end: O(log elements).
  ///
  /// All elements after one that satisfies the predicate must satisfy it.
  func partitioningIndex(where isAfter: (Element) -> Bool) -> Index {
    var (start, count) = (startIndex, count)
    while count > 0 {
      let middle = index(start, offsetBy: count / 2)
      if isAfter(self[middle]) {
        count /= 2
      } else {
        start = index(after: middle)
        count -= count / 2 + 1
      }
    }
    return start
  }
}
