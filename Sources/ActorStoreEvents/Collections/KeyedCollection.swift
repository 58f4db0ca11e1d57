/// A collection whose values have keys, such as a dictionary, or an array of elements with IDs.
///
/// ``Forwarding`` and ``StatePath`` reach one value of such a collection by its key. `Array` and ``IdentifiedArray``
/// conform if their elements are `Identifiable`. Their keys are the IDs. `Dictionary` conforms, too.
///
/// A mutable, range-replaceable collection of identifiable elements needs only one line to conform. Like an array, it
/// is then searched from the start:
///
/// ```swift
/// extension Deque: @retroactive KeyedCollection where Element: Identifiable {}
/// ```
public protocol KeyedCollection<Key, Value>: SendableMetatype {
  /// The type of the keys.
  associatedtype Key: Hashable
  /// The type of the values.
  associatedtype Value

  /// The value for a key, or `nil` if there is none.
  subscript(key key: Key) -> Value? { get }

  /// Edits the value for a key in place.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - body: A closure that edits the value.
  /// - Returns: Whether there is a value for the key.
  mutating func update<Failure: Error>(
    key: Key, _ body: (inout Value) throws(Failure) -> Void
  ) throws(Failure) -> Bool

  /// Edits all values in place, in the order of the collection.
  ///
  /// - Parameter body: A closure that edits a value.
  mutating func updateAll<Failure: Error>(_ body: (inout Value) throws(Failure) -> Void) throws(Failure)

  /// Adds a value for a key that has none.
  ///
  /// - Parameters:
  ///   - value: The value. If the collection's keys are IDs, the value's ID must equal the key.
  ///   - key: The key.
  mutating func add(_ value: Value, key: Key)
}

// MARK: Arrays

extension KeyedCollection where Self: MutableCollection & RangeReplaceableCollection, Element: Identifiable {
  /// The first element with an ID, or `nil` if there is none.
  ///
  /// The elements are searched from the start. For large collections, use an ``IdentifiedArray``.
  @inlinable
  public subscript(key id: Element.ID) -> Element? { first { $0.id == id } }

  /// Edits the first element with an ID in place.
  @inlinable
  public mutating func update<Failure: Error>(
    key id: Element.ID, _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard let index = firstIndex(where: { $0.id == id }) else { return false }
    try body(&self[index])
    return true
  }

  /// Edits all elements in place, in their order.
  @inlinable
  public mutating func updateAll<Failure: Error>(_ body: (inout Element) throws(Failure) -> Void) throws(Failure) {
    var index = startIndex
    while index != endIndex {
      try body(&self[index])
      formIndex(after: &index)
    }
  }

  /// Appends an element, which must have the ID.
  @inlinable
  public mutating func add(_ element: Element, key id: Element.ID) {
    requireID(id, of: element)
    append(element)
  }
}

extension Array: KeyedCollection where Element: Identifiable {}

extension IdentifiedArray: KeyedCollection {
  /// The element with an ID, or `nil` if there is none.
  ///
  /// The cost is constant.
  @inlinable
  public subscript(key id: Element.ID) -> Element? { self[id: id] }

  /// Edits the element with an ID in place, like ``update(id:_:)``.
  @inlinable
  public mutating func update<Failure: Error>(
    key id: Element.ID, _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) -> Bool { try update(id: id, body) != nil }

  /// Edits all elements in place, in their order.
  @inlinable
  public mutating func updateAll<Failure: Error>(_ body: (inout Element) throws(Failure) -> Void) throws(Failure) {
    for position in storage.indices { try body(&self[position]) }
  }

  /// Appends an element, which must have the ID.
  @inlinable
  public mutating func add(_ element: Element, key id: Element.ID) {
    requireID(id, of: element)
    append(element)
  }
}

/// Stops the program if an element's ID differs from the key for which it was added.
///
/// Otherwise, no later event would reach the element.
@inlinable
func requireID<Element: Identifiable>(_ id: Element.ID, of element: Element) {
  if element.id != id { failOnOtherID(id, element.id, "\(Element.self)") }
}

@usableFromInline
func failOnOtherID(_ id: Any, _ other: Any, _ element: String) -> Never {
  fatalError(
    "ActorStoreEvents: the \(element) that was created for an event with the ID \(id) has the ID \(other). Create it "
      + "with the ID of the event: missing: .created { id in ... }.")
}

// MARK: Dictionaries

extension Dictionary: KeyedCollection {
  /// The value for a key, or `nil` if there is none.
  @inlinable
  public subscript(key key: Key) -> Value? { self[key] }

  /// Edits the value for a key in place.
  @inlinable
  public mutating func update<Failure: Error>(
    key: Key, _ body: (inout Value) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard let index = index(forKey: key) else { return false }
    try body(&values[index])
    return true
  }

  /// Edits all values in place, in the order of the dictionary.
  @inlinable
  public mutating func updateAll<Failure: Error>(_ body: (inout Value) throws(Failure) -> Void) throws(Failure) {
    // A loop over the keys would keep a copy of the dictionary, so the first edit would copy all values.
    var index = startIndex
    while index < endIndex {
      try body(&values[index])
      formIndex(after: &index)
    }
  }

  /// Adds a value for a key that has none.
  @inlinable
  public mutating func add(_ value: Value, key: Key) { self[key] = value }
}
