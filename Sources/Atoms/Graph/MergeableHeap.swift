/// A binary heap with the greatest element first, which can be merged with another one.
///
/// Each merge inserts the elements of the smaller heap into the larger one. So however often heaps are merged, an
/// element moves to another heap O(log elements) times (union by size).
struct MergeableHeap<Element: Comparable & Sendable>: Sendable {
  /// In heap order: the elements at `2 * i + 1` and `2 * i + 2` are not greater than the one at `i`.
  private(set) var elements: [Element] = []

  var isEmpty: Bool { elements.isEmpty }
  var greatest: Element? { elements.first }

  /// Adds an element: O(log elements).
  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, elements[(index - 1) / 2] < element {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the greatest element: O(log elements).
  mutating func removeGreatest() {
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var index = 0
    while 2 * index + 1 < elements.count {
      var child = 2 * index + 1
      if child + 1 < elements.count, elements[child] < elements[child + 1] { child += 1 }
      if !(elements[index] < elements[child]) { return }
      elements.swapAt(index, child)
      index = child
    }
  }

  /// Adds the elements of another heap.
  mutating func merge(_ other: consuming MergeableHeap) {
    if other.elements.count > elements.count { swap(&self, &other) }
    for element in other.elements { insert(element) }
  }
}

extension MergeableHeap: Equatable, Hashable where Element: Hashable {}
