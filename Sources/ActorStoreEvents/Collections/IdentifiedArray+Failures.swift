/// The messages of calls that would make the array inconsistent.
///
/// They are fatal errors, which stop optimized programs, too.
extension IdentifiedArray {
  @usableFromInline static func failOnDuplicate(_ id: Element.ID, _ first: Int, _ second: Int) -> Never {
    fatalError(
      """
      ActorStoreEvents: an IdentifiedArray was created from elements of which two have the ID \(id), at the positions \
      \(first) and \(second). IDs must be unique. To choose between such elements, use init(_:uniquingIDsWith:).
      """)
  }

  @usableFromInline static func failOnCombined(_ id: Element.ID, _ combined: Element.ID) -> Never {
    fatalError(
      """
      ActorStoreEvents: two elements with the ID \(id) were combined into an element with the ID \(combined). Return an \
      element with the same ID from the closure.
      """)
  }

  @usableFromInline static func failOnTakenID(_ old: Element.ID, _ new: Element.ID, _ position: Int, _ other: Int)
    -> Never
  {
    fatalError(
      """
      ActorStoreEvents: an edit of the element at position \(position) changed its ID from \(old) to \(new), but the \
      element at position \(other) already has this ID. IDs must be unique. Keep the ID, or first remove the other element.
      """)
  }

  @usableFromInline static func failOnOtherID(_ id: Element.ID, _ new: Element.ID) -> Never {
    fatalError(
      """
      ActorStoreEvents: an element with the ID \(new) was assigned to subscript(id:) with the ID \(id), under which it \
      could not be found. Assign an element with the same ID. To change the ID of an element, use update(id:_:).
      """)
  }

  @usableFromInline static func failOnUnequalID(_ id: Element.ID) -> Never {
    fatalError(
      """
      ActorStoreEvents: an element has the ID \(id), which is not equal to itself, so the element could never be found. \
      Use an ID that is equal to itself.
      """)
  }

  @usableFromInline static func failOnLostID(_ id: Element.ID) -> Never {
    fatalError(
      """
      ActorStoreEvents: an element of an IdentifiedArray has the ID \(id), but it had another one when it was added. Do \
      not change the ID of an object in an array, or compute an ID from anything that changes.
      """)
  }

  @usableFromInline static func failOnPosition(_ position: Int, _ count: Int, _ call: StaticString) -> Never {
    fatalError(
      """
      ActorStoreEvents: \(call) was called with the position \(position), but the IdentifiedArray has \(count) elements. \
      Pass a position in the array.
      """)
  }
}
