/// An array whose elements have unique IDs and can be found by them in constant time.
///
/// ```swift
/// struct Todo: Identifiable, Sendable {
///   let id: Int
///   var title: String
///   var isDone = false
/// }
///
/// var todos: IdentifiedArray = [Todo(id: 1, title: "Milk"), Todo(id: 2, title: "Eggs")]
/// todos[id: 2]?.isDone = true
/// todos.append(Todo(id: 3, title: "Tea"))
/// todos[id: 1] = nil
/// ```
///
/// The elements are in the order that the caller determines, as in an array. Two arrays are equal if they have equal
/// elements in the same order. The array is encoded like an array of its elements.
///
/// ## IDs
///
/// The ID of an element must be equal to itself, which NaN is not, and must not change unless the element is edited
/// through the array. If the element is an object, do not change its ID while it is in an array. The array stops the
/// program with a message when it notices that an ID has changed.
///
/// A call that would give two elements the same ID either changes nothing and says so in its result, or stops the
/// program with a message that names the ID. The documentation of each call states which.
///
/// ## Costs
///
/// In the table, *n* is the number of elements.
///
/// | call | cost |
/// | --- | --- |
/// | finding, reading, or editing an element by its ID or position | constant |
/// | appending, or removing the last element | constant, amortized |
/// | inserting or removing elsewhere | as in an array, O(*n*). In addition, the elements before or after the position, whichever are fewer, are hashed |
/// | inserting or removing at the front | as in an array, O(*n*), without hashing other elements |
/// | inserting or removing many elements by one call | O(*n*) in total |
/// | sorting | O(*n* log *n*) |
/// | reversing, shuffling, filtering | O(*n*) |
/// | moving | linear in the number of elements from the first to the last one that changes its position |
///
/// An edit copies neither the element nor others, unless another variable shares the array or the edit goes through a
/// key path with an ID. In addition to the elements, the array stores a dictionary with an integer for each ID.
///
/// Removing many elements one after another takes quadratic time, unless they are the last ones. Use ``remove(ids:)``,
/// ``removeAll(where:)``, or ``removeFirst(_:)``.
@frozen public struct IdentifiedArray<Element: Identifiable> {
  @usableFromInline var storage: [Element]
  /// The label of each element's ID.
  ///
  /// The label of an element is `firstLabel` plus its position. So inserting or removing an element at the front
  /// changes `firstLabel`, but not the labels of the other elements.
  @usableFromInline var labels: [Element.ID: Int]
  @usableFromInline var firstLabel = 0

  /// Creates an empty array.
  @inlinable public init() {
    storage = []
    labels = [:]
  }

  /// Creates an array of elements with unique IDs.
  ///
  /// If two elements have the same ID, the call stops the program with a message that names the ID. For elements that
  /// may have duplicate IDs, use ``init(_:uniquingIDsWith:)``.
  ///
  /// The cost is O(*n*). If `elements` is an array, it is not copied.
  @inlinable public init(uniqueElements elements: some Sequence<Element>) {
    storage = Array(elements)
    labels = Dictionary(minimumCapacity: storage.count)
    for position in storage.indices {
      let id = storage[position].id
      if let other = claim(id, position) { Self.failOnDuplicate(id, other, position) }
    }
  }

  /// Creates an array of elements, and combines elements with the same ID.
  ///
  /// A combined element has the position of the first one.
  ///
  /// ```swift
  /// let latest = IdentifiedArray(received) { _, newer in newer }
  /// ```
  ///
  /// The cost is O(*n*).
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - combine: A closure that returns the element to keep, given the element so far and the next one with the same
  ///     ID. The result must have this ID, too. Otherwise, the call stops the program with a message.
  @inlinable public init<Failure: Error>(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws(Failure) -> Element
  ) throws(Failure) {
    self.init()
    reserveCapacity(elements.underestimatedCount)
    for element in elements {
      let (inserted, position) = append(element)
      if inserted { continue }
      let id = element.id
      let combined = try combine(storage[position], element)
      if combined.id != id { Self.failOnCombined(id, combined.id) }
      storage[position] = combined
    }
  }

  /// The elements as a plain array.
  ///
  /// The cost is constant.
  @inlinable public var elements: [Element] { storage }

  /// The IDs of the elements, in the order of the elements.
  ///
  /// The cost is O(*n*). To find out whether an element exists, use ``contains(id:)``.
  @inlinable public var ids: [Element.ID] { storage.map(\.id) }

  /// Returns the position of the element with an ID, or `nil` if there is none.
  ///
  /// The cost is constant.
  @inlinable public func index(id: Element.ID) -> Int? { labels[id].map { $0 &- firstLabel } }

  /// Returns whether an element has an ID.
  ///
  /// The cost is constant.
  @inlinable public func contains(id: Element.ID) -> Bool { labels[id] != nil }
}

extension IdentifiedArray: Sendable where Element: Sendable, Element.ID: Sendable {}
