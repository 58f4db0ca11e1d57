/// A first-in, first-out queue in one array.
///
/// Removed elements are released immediately, and their memory later. Each operation on an end takes constant time
/// (amortized), and the memory remains proportional to the number of elements.
struct Fifo<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { head == elements.count }
  /// The number of elements that the memory in use could hold.
  var storedCount: Int { elements.count }

  var first: Element? { isEmpty ? nil : elements[head] }
  var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  /// The element at an offset from the first.
  subscript(offset: Int) -> Element {
    get { elements[head + offset]! }
    _modify { yield &elements[head + offset]! }
  }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head].take()
    head += 1
    if isEmpty {
      removeAll()
    } else if head > 64, head > elements.count / 2 {
      elements.removeSubrange(..<head)
      head = 0
    }
    return element
  }

  mutating func removeAll() {
    elements.removeAll(keepingCapacity: elements.capacity <= 64)
    head = 0
  }

  /// Removes the elements that satisfy a predicate.
  ///
  /// Takes time proportional to the number of elements.
  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements.removeAll { $0.map(isRemoved) ?? true }
    head = 0
  }
}

extension Fifo: Equatable where Element: Equatable {
  /// Compares the elements, regardless of the memory that removed elements still occupy.
  static func == (one: Fifo, other: Fifo) -> Bool { one.elements[one.head...] == other.elements[other.head...] }
}

extension Fifo: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(elements[head...]) }
}
