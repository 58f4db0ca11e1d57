extension IdentifiedArray {
  /// The element with an ID, or `nil` if there is none.
  ///
  /// ```swift
  /// todos[id: 2]?.isDone = true
  /// ```
  ///
  /// Setting `nil` removes the element, like ``remove(id:)``. Setting an element replaces the one with the ID, or
  /// appends the element if there is none. The new element must have this ID, even after an edit in place. Otherwise,
  /// the call stops the program with a message. To change the ID of an element, use ``update(id:_:)``.
  ///
  /// The cost is constant, except that setting `nil` costs as much as ``remove(id:)``. An edit moves the element out of
  /// the array and back, without a copy. For large structures, ``update(id:_:)`` is faster, because it moves nothing.
  /// Reading returns a copy of the element, and an edit through a key path copies it, too.
  @inlinable public subscript(id id: Element.ID) -> Element? {
    get { index(id: id).map { storage[$0] } }
    _modify {
      let position = index(id: id)
      var element = position.map { take($0) }
      // If the edit throws, the code after `yield` does not run.
      defer { put(element.take(), id, position) }
      yield &element
    }
  }

  /// The element at a position.
  ///
  /// An edit happens in place and may change the ID of the element. If another element already has the new ID, the call
  /// stops the program with a message.
  ///
  /// The cost is constant.
  @inlinable public subscript(position: Int) -> Element {
    _read { yield storage[position] }
    _modify {
      let id = storage[position].id
      defer { rekey(position, from: id) }
      yield &storage[position]
    }
  }

  /// Edits the element with an ID in place, and returns the result of the edit, or `nil` if there is no such element.
  ///
  /// ```swift
  /// todos.update(id: 2) { $0.isDone.toggle() }
  /// ```
  ///
  /// The edit may change the ID of the element. If another element already has the new ID, the call stops the program
  /// with a message. If `body` throws, the element keeps the changes that were made before.
  ///
  /// The cost is constant.
  ///
  /// - Parameters:
  ///   - id: The ID of the element.
  ///   - body: A closure that edits the element.
  @discardableResult @inlinable public mutating func update<Result, Failure: Error>(
    id: Element.ID,
    _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let position = index(id: id) else { return nil }
    defer { rekey(position, from: id) }
    return try body(&storage[position])
  }

  /// Moves an element out of the array, so that the caller edits it without a copy.
  ///
  /// The last element takes its place, because this does not move others.
  @inlinable mutating func take(_ position: Int) -> Element {
    storage.swapAt(position, storage.count - 1)
    return storage.removeLast()
  }

  /// Moves an element into the place that `take` left, or to the end if the element is new.
  @inlinable mutating func put(_ element: consuming Element?, _ id: Element.ID, _ position: Int?) {
    if let element {
      if element.id != id { Self.failOnOtherID(id, element.id) }
      if let position {
        storage.append(element)
        storage.swapAt(position, storage.count - 1)
      } else {
        append(element)
      }
    } else if let position {
      if position < storage.count { storage.append(storage.remove(at: position)) }
      labels[id] = nil
      closeGaps(removed: 1, leading: position, trailing: count - position)
    }
  }
}
