extension IdentifiedArray {
  /// Appends an element, unless its ID already exists.
  ///
  /// The cost is constant, amortized over many calls.
  ///
  /// - Returns: Whether the element was appended, and the position of the element with its ID. If it was not appended,
  ///   the array remains unchanged.
  @discardableResult @inlinable public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    let position = storage.count
    if let label = claim(element.id, firstLabel &+ position) { return (false, label &- firstLabel) }
    storage.append(element)
    return (true, position)
  }

  /// Appends the elements of a sequence whose IDs do not exist yet.
  ///
  /// The cost is linear in the number of the new elements.
  @inlinable public mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Inserts an element at a position, unless its ID already exists.
  ///
  /// The cost is O(*n*), as for an array. In addition, the elements before or after the position, whichever are fewer,
  /// are hashed.
  ///
  /// - Parameters:
  ///   - element: The new element.
  ///   - position: A position in the array, or the number of elements. Otherwise, the call stops the program.
  /// - Returns: Whether the element was inserted, and the position of the element with its ID. If it was not inserted,
  ///   the array remains unchanged.
  @discardableResult @inlinable public mutating func insert(_ element: Element, at position: Int) -> (
    inserted: Bool, index: Int
  ) {
    if position < 0 || position > count { Self.failOnPosition(position, count, "insert(_:at:)") }
    if let label = claim(element.id, firstLabel) { return (false, label &- firstLabel) }
    storage.insert(element, at: position)
    openGap(position..<(position + 1))
    return (true, position)
  }

  /// Inserts the elements of a sequence whose IDs do not exist yet, in their order.
  ///
  /// The cost is linear in the number of elements, old and new.
  ///
  /// - Parameters:
  ///   - elements: The new elements.
  ///   - position: A position in the array, or the number of elements. Otherwise, the call stops the program.
  @inlinable public mutating func insert(contentsOf elements: some Sequence<Element>, at position: Int) {
    if position < 0 || position > count { Self.failOnPosition(position, count, "insert(contentsOf:at:)") }
    var new: [Element] = []
    for element in elements where claim(element.id, firstLabel) == nil { new.append(element) }
    if new.isEmpty { return }
    storage.insert(contentsOf: new, at: position)
    openGap(position..<(position + new.count))
  }

  /// Replaces the element that has the ID of a new element, or appends the new element if there is none.
  ///
  /// The cost is constant, amortized over many calls.
  ///
  /// - Returns: The replaced element, or `nil` if the new element was appended.
  @discardableResult @inlinable public mutating func updateOrAppend(_ element: Element) -> Element? {
    let (inserted, position) = append(element)
    if inserted { return nil }
    let old = storage[position]
    storage[position] = element
    return old
  }

  /// Labels new elements and the elements that they have moved.
  ///
  /// Either the elements before the new ones or those after them keep their labels. The function chooses the larger
  /// part.
  @inlinable mutating func openGap(_ new: Range<Int>) {
    if new.lowerBound < count - new.upperBound {
      firstLabel &-= new.count
      relabel(0..<new.upperBound)
    } else {
      relabel(new.lowerBound..<count)
    }
  }
}
