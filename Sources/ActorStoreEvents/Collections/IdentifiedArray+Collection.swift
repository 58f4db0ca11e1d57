extension IdentifiedArray: RandomAccessCollection {
  /// A position in the array, from 0 up to, but not including, the number of elements.
  public typealias Index = Int
  /// The iterator of a plain array.
  public typealias Iterator = IndexingIterator<[Element]>
  /// A slice of a plain array.
  ///
  /// Its positions are those of the whole array.
  public typealias SubSequence = ArraySlice<Element>
  /// The positions of all elements.
  public typealias Indices = Range<Int>

  /// The position of the first element, which is 0.
  @inlinable public var startIndex: Int { 0 }

  /// The position after the last element, which is the number of elements.
  @inlinable public var endIndex: Int { storage.count }

  /// Returns an iterator over the elements.
  @inlinable public func makeIterator() -> IndexingIterator<[Element]> { storage.makeIterator() }

  /// The elements in a range of positions.
  ///
  /// The cost is constant.
  @inlinable public subscript(bounds: Range<Int>) -> ArraySlice<Element> { storage[bounds] }

  /// Reserves memory for a number of elements.
  ///
  /// Until the array has that many elements, appending allocates no memory.
  @inlinable public mutating func reserveCapacity(_ minimumCapacity: Int) {
    storage.reserveCapacity(minimumCapacity)
    labels.reserveCapacity(minimumCapacity)
  }

  /// Returns an array with the elements that satisfy a condition, in the same order.
  ///
  /// The cost is O(*n*).
  @inlinable public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    // With typed throws, the function would be generic over the error, and the compiler would prefer `Sequence`'s
    // `filter`.
    var kept: [Element] = []
    for element in storage where try isIncluded(element) { kept.append(element) }
    return Self(uniqueElements: kept)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral {
  /// Creates an array from a literal, such as `[Todo(id: 1), Todo(id: 2)]`.
  ///
  /// If two elements have the same ID, the call stops the program with a message that names the ID.
  @inlinable public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Returns whether two arrays have equal elements in the same order.
  @inlinable public static func == (one: Self, other: Self) -> Bool { one.storage == other.storage }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in their order.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
}
