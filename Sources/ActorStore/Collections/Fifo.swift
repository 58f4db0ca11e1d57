/// A first-in, first-out queue in one array.
///
/// A removed element is released immediately, but its place in the array remains for a while. Each operation on an end
/// takes constant time (amortized), and the number of places remains proportional to the number of elements.
///
/// The operations that other modules use are inlinable, because unspecialized code looks up types at run time.
@frozen @usableFromInline package struct Fifo<Element: Sendable>: Sendable {
  @usableFromInline var places: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  package init() {}

  @inlinable
  package var count: Int { places.count - head }
  @inlinable
  package var isEmpty: Bool { head == places.count }
  /// The number of places, including those of removed elements.
  var storedCount: Int { places.count }
  /// The number of elements for which there is memory.
  var capacity: Int { places.capacity }

  /// All elements, in order.
  @inlinable
  package var elements: [Element] { places[head...].compactMap(\.self) }

  @inlinable
  package var first: Element? { isEmpty ? nil : places[head] }
  var last: Element? { isEmpty ? nil : places[places.count - 1] }

  /// The element at an offset from the first.
  @inlinable
  package subscript(offset: Int) -> Element {
    get {
      guard let element = places[head + offset] else { Self.trapBecauseItIsEmpty() }
      return element
    }
    _modify {
      if places[head + offset] == nil { Self.trapBecauseItIsEmpty() }
      yield &places[head + offset]!
    }
  }

  @usableFromInline
  static func trapBecauseItIsEmpty() -> Never {
    preconditionFailure("ActorStore: an empty place in a queue was accessed. This is a bug in ActorStore.")
  }

  @inlinable
  package mutating func append(_ element: Element) {
    places.append(element)
  }

  @inlinable
  package mutating func popFirst() -> Element? {
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

  /// Removes and returns all elements, in order.
  @inlinable
  package mutating func popAll() -> [Element] {
    let all = elements
    removeAll()
    return all
  }

  @inlinable
  package mutating func removeAll() {
    places.removeAll(keepingCapacity: places.capacity <= 64)
    head = 0
  }

  /// Removes the elements that satisfy a predicate.
  ///
  /// Takes time proportional to the number of places.
  @inlinable
  package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    places.removeAll { $0.map(isRemoved) ?? true }
    head = 0
  }
}

extension Fifo: Equatable where Element: Equatable {
  /// Compares the elements, regardless of the places of removed elements.
  @usableFromInline
  package static func == (one: Fifo, other: Fifo) -> Bool { one.places[one.head...] == other.places[other.head...] }
}

extension Fifo: Hashable where Element: Hashable {
  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(places[head...]) }
}
