extension IdentifiedArray {
  /// Moves elements to another place, as SwiftUI's `onMove(perform:)` requests with an `IndexSet`.
  ///
  /// The moved elements keep their order among each other, and so do the others.
  ///
  /// The cost is linear in the number of elements from the first to the last one that changes its position.
  ///
  /// - Parameters:
  ///   - offsets: The positions of the elements to move, in any order. If one is not in the array, the call stops the
  ///     program with a message.
  ///   - destination: The position, counted before the move, in front of which the elements are inserted. To move them
  ///     to the end, pass the number of elements. Any other position stops the program with a message.
  @inlinable public mutating func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
    if destination < 0 || destination > count {
      Self.failOnPosition(destination, count, "move(fromOffsets:toOffset:)")
    }
    let positions = existing(offsets, "move(fromOffsets:toOffset:)")
    guard let first = positions.first, let last = positions.last else { return }
    let range = Swift.min(first, destination)..<Swift.max(last + 1, destination)
    var (before, moved, after): ([Element], [Element], [Element]) = ([], [], [])
    for position in range {
      if moved.count < positions.count, positions[moved.count] == position {
        moved.append(storage[position])
      } else if position < destination {
        before.append(storage[position])
      } else {
        after.append(storage[position])
      }
    }
    storage.replaceSubrange(range, with: before + moved + after)
    relabel(range)
  }

  /// Exchanges the elements at two positions.
  ///
  /// The cost is constant.
  @inlinable public mutating func swapAt(_ one: Int, _ other: Int) {
    storage.swapAt(one, other)
    relabel(one..<(one + 1))
    relabel(other..<(other + 1))
  }

  /// Sorts the elements by a condition.
  ///
  /// The order of elements that are neither before nor after each other remains the same. If the condition throws, the
  /// array has the same elements in an unspecified order. The cost is O(*n* log *n*).
  ///
  /// - Parameter areInIncreasingOrder: A closure that returns whether the first element must be before the second.
  @inlinable public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    defer { relabel(0..<count) }
    try storage.sort(by: areInIncreasingOrder)
  }

  /// Reverses the order of the elements.
  ///
  /// The cost is O(*n*).
  @inlinable public mutating func reverse() {
    storage.reverse()
    relabel(0..<count)
  }

  /// Shuffles the elements with the system's random number generator.
  ///
  /// The cost is O(*n*).
  @inlinable public mutating func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Shuffles the elements.
  ///
  /// The cost is O(*n*).
  ///
  /// - Parameter generator: The source of the random numbers.
  @inlinable public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    storage.shuffle(using: &generator)
    relabel(0..<count)
  }

  /// Returns positions in ascending order without duplicates.
  @inlinable func existing(_ offsets: some Sequence<Int>, _ call: StaticString) -> [Int] {
    let positions = Set(offsets).sorted()
    for end in [positions.first, positions.last] {
      if let end, end < 0 || end >= count { Self.failOnPosition(end, count, call) }
    }
    return positions
  }
}

extension IdentifiedArray where Element: Comparable {
  /// Sorts the elements in ascending order.
  ///
  /// The order of equal elements remains the same. The cost is O(*n* log *n*).
  @inlinable public mutating func sort() { sort(by: <) }
}
