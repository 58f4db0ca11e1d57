extension IdentifiedArray {
  /// Removes the first element, and returns it.
  ///
  /// The cost is O(*n*), as for an array, but no other element is hashed. If the array is empty, the call stops the
  /// program.
  @discardableResult @inlinable public mutating func removeFirst() -> Element { remove(at: 0) }

  /// Removes some of the first elements.
  ///
  /// The cost is O(*n*), as for an array. Only the removed elements are hashed.
  ///
  /// - Parameter count: The number of elements to remove. If it is negative or the array has fewer elements, the call
  ///   stops the program.
  @inlinable public mutating func removeFirst(_ count: Int) { removeSubrange(0..<count) }

  /// Removes the last element, and returns it.
  ///
  /// The cost is constant. If the array is empty, the call stops the program.
  @discardableResult @inlinable public mutating func removeLast() -> Element { remove(at: count - 1) }

  /// Removes some of the last elements.
  ///
  /// The cost is linear in the number of removed elements.
  ///
  /// - Parameter count: The number of elements to remove. If it is negative or the array has fewer elements, the call
  ///   stops the program.
  @inlinable public mutating func removeLast(_ count: Int) { removeSubrange((self.count - count)..<self.count) }

  /// Removes the last element, and returns it, or returns `nil` if the array is empty.
  ///
  /// The cost is constant.
  @inlinable public mutating func popLast() -> Element? { isEmpty ? nil : removeLast() }
}
