extension IdentifiedArray {
  /// Gives an ID a label, or returns the label of the element that already has the ID.
  @inlinable mutating func claim(_ id: Element.ID, _ label: Int) -> Int? {
    if id != id { Self.failOnUnequalID(id) }
    return Self.claim(&labels[id], label)
  }

  /// Reads and writes the label through one access to the dictionary, so the ID is hashed once.
  @inlinable static func claim(_ slot: inout Int?, _ label: Int) -> Int? {
    if let slot { return slot }
    slot = label
    return nil
  }

  /// Removes the label of the element at a position, which is about to be removed.
  @inlinable mutating func unlabel(_ position: Int) {
    let id = storage[position].id
    if labels.removeValue(forKey: id) != firstLabel &+ position { Self.failOnLostID(id) }
  }

  /// Corrects the labels of elements that have changed their positions.
  @inlinable mutating func relabel(_ positions: Range<Int>) {
    for position in positions {
      let id = storage[position].id
      if !Self.replace(&labels[id], firstLabel &+ position) { Self.failOnLostID(id) }
    }
  }

  @inlinable static func replace(_ slot: inout Int?, _ label: Int) -> Bool {
    if slot == nil { return false }
    slot = label
    return true
  }

  /// Corrects the labels after elements have been removed.
  ///
  /// The labels are relative to the first one, so either the elements before the first gap or those after the last one
  /// keep their labels. The function chooses the larger part.
  ///
  /// - Parameters:
  ///   - removed: The number of removed elements.
  ///   - leading: The number of elements before the first gap.
  ///   - trailing: The number of elements after the last gap.
  @inlinable mutating func closeGaps(removed: Int, leading: Int, trailing: Int) {
    if leading < trailing {
      firstLabel &+= removed
      relabel(0..<(count - trailing))
    } else {
      relabel(leading..<count)
    }
  }

  /// Moves the label to the new ID if an edit has changed an element's ID.
  ///
  /// - Parameter old: The ID before the edit.
  @inlinable mutating func rekey(_ position: Int, from old: Element.ID) {
    let new = storage[position].id
    if new == old { return }
    if let other = claim(new, firstLabel &+ position) {
      Self.failOnTakenID(old, new, position, other &- firstLabel)
    }
    if labels.removeValue(forKey: old) != firstLabel &+ position { Self.failOnLostID(old) }
  }
}
