extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements like a plain array.
  @inlinable public func encode(to encoder: any Encoder) throws { try storage.encode(to: encoder) }
}

extension IdentifiedArray: Decodable where Element: Decodable {
  /// Decodes the elements from a plain array.
  ///
  /// If two elements have the same ID, or the ID of an element is not equal to itself, the call throws a
  /// `DecodingError` that names the ID.
  @inlinable public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let element = try container.decode(Element.self)
      if element.id != element.id {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "The ID \(element.id) at index \(count) is not equal to itself.")
      }
      let (inserted, other) = append(element)
      if !inserted {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "The elements at the indices \(other) and \(count) have the same ID, \(element.id).")
      }
    }
  }
}
