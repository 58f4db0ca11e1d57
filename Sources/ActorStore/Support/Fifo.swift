/// A queue in one array: what is taken out leaves at once, its place later.
///
/// Each step costs O(1), amortised, and the memory stays in proportion to what is in it.
struct Fifo<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { head == elements.count }

  var first: Element? { isEmpty ? nil : elements[head] }

  /// The element so many places behind the first.
  subscript(offset: Int) -> Element {
    guard let element = elements[head + offset] else {
      preconditionFailure("ActorStore: a place in a queue was read that is empty. This is a bug in ActorStore.")
    }
    return element
  }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Changes the element so many places behind the first.
  mutating func change(_ offset: Int, _ body: (inout Element) -> Void) {
    if elements[head + offset] != nil { body(&elements[head + offset]!) }
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity <= 64)
      head = 0
    } else if head > 64, head > elements.count / 2 {
      elements.removeSubrange(..<head)
      head = 0
    }
    return element
  }
}

extension Fifo: Equatable where Element: Equatable {
  /// Whatever the places are that were left.
  static func == (one: Fifo, other: Fifo) -> Bool { one.elements[one.head...] == other.elements[other.head...] }
}

extension Fifo: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(elements[head...]) }
}
