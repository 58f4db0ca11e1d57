/// A collection that finds an element by its ID without searching.
///
/// ``StatePath`` uses the subscript for collections that conform. It searches all other collections of `Identifiable`
/// elements, such as arrays, from the start.
public protocol ElementsByID: Collection where Element: Identifiable {
  /// The element with an ID, or `nil` if there is none.
  subscript(id id: Element.ID) -> Element? { get }
}

/// A collection of values by key, such as a dictionary.
public protocol ValuesByKey {
  /// The type of the keys.
  associatedtype Key: Hashable
  /// The type of the values.
  associatedtype Value

  /// The value for a key, or `nil` if there is none.
  subscript(_ key: Key) -> Value? { get }
}

extension Dictionary: ValuesByKey {}
