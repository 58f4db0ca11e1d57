extension IdentifiedArray {
  /// Removes the element with an ID, and returns it, or returns `nil` if there is none.
  ///
  /// The cost is O(*n*), as for an array. In addition, the elements before or after the removed one, whichever are
  /// fewer, are hashed. To remove many elements, use ``remove(ids:)`` or ``removeAll(where:)``.
  @discardableResult @inlinable public mutating func remove(id: Element.ID) -> Element? {
    guard let label = labels.removeValue(forKey: id) else { return nil }
    let position = label &- firstLabel
    let element = storage.remove(at: position)
    closeGaps(removed: 1, leading: position, trailing: count - position)
    return element
  }

  /// Removes the elements with the given IDs, and ignores unknown IDs.
  ///
  /// The cost is O(*n* + *k* log *k*), where *k* is the number of IDs.
  @inlinable public mutating func remove(ids: some Sequence<Element.ID>) {
    var positions: [Int] = []
    for id in ids {
      if let label = labels.removeValue(forKey: id) { positions.append(label &- firstLabel) }
    }
    positions.sort()
    removeUnlabeled(positions)
  }

  /// Removes the element at a position, and returns it.
  ///
  /// The cost is that of ``remove(id:)``.
  ///
  /// - Parameter position: A position in the array. Otherwise, the call stops the program.
  @discardableResult @inlinable public mutating func remove(at position: Int) -> Element {
    unlabel(position)
    let element = storage.remove(at: position)
    closeGaps(removed: 1, leading: position, trailing: count - position)
    return element
  }

  /// Removes the elements at some positions, which SwiftUI's `onDelete(perform:)` provides as an `IndexSet`.
  ///
  /// The cost is O(*n* + *k* log *k*), where *k* is the number of positions.
  ///
  /// - Parameter offsets: The positions of the elements to remove, in any order. If one is not in the array, the call
  ///   stops the program with a message.
  @inlinable public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    let positions = existing(offsets, "remove(atOffsets:)")
    for position in positions { unlabel(position) }
    removeUnlabeled(positions)
  }

  /// Removes the elements in a range of positions.
  ///
  /// The cost is O(*n*), as for an array. In addition, the removed elements are hashed, and so are the elements before
  /// or after them, whichever are fewer.
  ///
  /// - Parameter bounds: A range in the array. Otherwise, the call stops the program.
  @inlinable public mutating func removeSubrange(_ bounds: some RangeExpression<Int>) {
    let positions = bounds.relative(to: self)
    if positions.isEmpty { return }
    for position in positions { unlabel(position) }
    storage.removeSubrange(positions)
    closeGaps(removed: positions.count, leading: positions.lowerBound, trailing: count - positions.lowerBound)
  }

  /// Removes the elements that satisfy a condition.
  ///
  /// If the condition throws, the array remains unchanged. The cost is O(*n*).
  @inlinable public mutating func removeAll<Failure: Error>(
    where shouldBeRemoved: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    var positions: [Int] = []
    for position in storage.indices where try shouldBeRemoved(storage[position]) { positions.append(position) }
    for position in positions { unlabel(position) }
    removeUnlabeled(positions)
  }

  /// Removes all elements.
  ///
  /// - Parameter keepCapacity: Whether the array keeps its memory for new elements.
  @inlinable public mutating func removeAll(keepingCapacity keepCapacity: Bool = false) {
    storage.removeAll(keepingCapacity: keepCapacity)
    labels.removeAll(keepingCapacity: keepCapacity)
    firstLabel = 0
  }

  /// Removes elements that have no labels anymore.
  ///
  /// - Parameter positions: Their positions in ascending order.
  @inlinable mutating func removeUnlabeled(_ positions: [Int]) {
    guard let first = positions.first, let last = positions.last else { return }
    let trailing = count - 1 - last
    var (kept, removed) = (first, 0)
    for position in first..<count {
      if removed < positions.count, positions[removed] == position {
        removed += 1
      } else {
        storage.swapAt(kept, position)
        kept += 1
      }
    }
    storage.removeLast(removed)
    closeGaps(removed: removed, leading: first, trailing: trailing)
  }
}
