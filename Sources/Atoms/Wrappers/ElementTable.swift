/// The elements of a collection by their IDs.
///
/// If several elements have an ID, it belongs to the first one.
final class ElementTable<Elements: Collection & Sendable, ID: Hashable & Sendable>: Sendable
where Elements.Element: Sendable, Elements.Index: Sendable {
  let elements: Elements
  /// The IDs in the order of the elements.
  let ids: [ID]
  /// The places of the elements.
  let indices: [ID: Elements.Index]
  /// The first ID that belongs to several elements, if there is one.
  let duplicate: ID?

  /// Finds all elements: O(elements).
  init(_ elements: Elements, id: (Elements.Element) -> ID) {
    var (ids, indices, duplicate): ([ID], [ID: Elements.Index], ID?) = ([], [:], nil)
    ids.reserveCapacity(elements.count)
    indices.reserveCapacity(elements.count)
    for index in elements.indices {
      let id = id(elements[index])
      if let first = indices.updateValue(index, forKey: id) {
        indices[id] = first
        duplicate = duplicate ?? id
      } else {
        ids.append(id)
      }
    }
    self.elements = elements
    self.ids = ids
    self.indices = indices
    self.duplicate = duplicate
  }

  /// The element with an ID, or `nil` if there is none.
  subscript(id: ID) -> Elements.Element? { indices[id].map { elements[$0] } }
}
