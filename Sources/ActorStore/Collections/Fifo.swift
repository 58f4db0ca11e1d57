/// A first-in, first-out queue in one array.
///
/// Removed elements are released immediately, and their memory later. Each operation on an end takes constant time
/// (amortized), and the memory remains proportional to the number of places.
struct Fifo<Element: Sendable>: Sendable {
  private var places: [Element?] = []
  private var head = 0

  var count: Int { places.count - head }
  var isEmpty: Bool { head == places.count }
  /// The number of elements, including removed ones that still occupy memory.
  var storedCount: Int { places.count }
  /// The number of elements for which there is memory.
  var capacity: Int { places.capacity }

  /// All elements in their order.
  var elements: [Element] { places[head...].compactMap(\.self) }

  var first: Element? { isEmpty ? nil : places[head] }
  var last: Element? { isEmpty ? nil : places[places.count - 1] }

  /// The element at an offset from the first.
  subscript(offset: Int) -> Element {
    get {
      guard let element = places[head + offset] else { Self.trapBecauseItIsEmpty() }
      return element
    }
    _modify {
      if places[head + offset] == nil { Self.trapBecauseItIsEmpty() }
      yield &places[head + offset]!
    }
  }

  private static func trapBecauseItIsEmpty() -> Never {
    preconditionFailure("ActorStore: an empty place in a queue was accessed. This is a bug in ActorStore.")
  }

  mutating func append(_ element: Element) {
    places.append(element)
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = places[head].take()
    head += 1
    if isEmpty {
      removeAll()
    } else if head > 64, head > places.count / 2 {
      places.removeSubrange(..<head)
      head = 0
    }
    return element
  }

  mutating func removeAll() {
    places.removeAll(keepingCapacity: places.capacity <= 64)
    head = 0
  }

  /// Removes the elements that satisfy a predicate.
  ///
  /// Takes time proportional to the number of places.
  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    places.removeAll { $0.map(isRemoved) ?? true }
    head = 0
  }
}

extension Fifo: Equatable where Element: Equatable {
  /// Compares the elements, regardless of the memory that removed elements still occupy.
  static func == (one: Fifo, other: Fifo) -> Bool { one.places[one.head...] == other.places[other.head...] }
}

extension Fifo: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(places[head...]) }
}
