/// An array whose elements can be found and removed by key in constant time.
///
/// Elements are in insertion order, except that removing an element moves the last one into its place. A loop from the
/// last index to the first may therefore remove the element that it visits. Such a loop may also pause at an index and
/// continue later without missing an element that was there from the start.
///
/// Unlike a dictionary's order, this order is the same in every run of a simulated schedule.
struct KeyedArray<Key: Hashable, Element> {
  private var elements: [(key: Key, value: Element)] = []
  private var indices: [Key: Int] = [:]

  var count: Int { elements.count }
  var isEmpty: Bool { elements.isEmpty }
  var keys: [Key] { elements.map(\.key) }
  var values: [Element] { elements.map(\.value) }
  var first: Element? { elements.first?.value }

  /// The key and the element at an index in `0..<count`.
  subscript(index: Int) -> (key: Key, value: Element) { elements[index] }

  /// The element for a key, or `nil` if there is none.
  ///
  /// Setting `nil` removes the element. Setting an element for a new key appends it.
  subscript(key: Key) -> Element? {
    get { indices[key].map { elements[$0].value } }
    set {
      guard let newValue else {
        _ = remove(key)
        return
      }
      if let index = indices[key] { elements[index].value = newValue } else { append(newValue, for: key) }
    }
  }

  /// The element for a key, or a default value if there is none.
  ///
  /// Changes the element in place. Changing the element for a new key first appends the default value.
  subscript(key: Key, default element: @autoclosure () -> Element) -> Element {
    get { self[key] ?? element() }
    _modify {
      let index: Int
      if let known = indices[key] {
        index = known
      } else {
        index = elements.count
        append(element(), for: key)
      }
      yield &elements[index].value
    }
  }

  /// Changes the element for a key in place, or returns `nil` if there is none.
  mutating func change<Result>(_ key: Key, _ body: (inout Element) -> Result) -> Result? {
    guard let index = indices[key] else { return nil }
    return body(&elements[index].value)
  }

  private mutating func append(_ element: Element, for key: Key) {
    indices[key] = elements.count
    elements.append((key, element))
  }

  /// Removes the element for a key, and returns it.
  mutating func remove(_ key: Key) -> Element? {
    guard let index = indices.removeValue(forKey: key), let last = elements.popLast() else { return nil }
    if index == elements.count { return last.value }
    defer {
      elements[index] = last
      indices[last.key] = index
    }
    return elements[index].value
  }
}

extension KeyedArray: Sendable where Key: Sendable, Element: Sendable {}

extension KeyedArray: Equatable where Element: Equatable {
  /// Compares the keys and elements in order.
  static func == (one: KeyedArray, other: KeyedArray) -> Bool {
    one.elements.elementsEqual(other.elements) { $0 == $1 }
  }
}

extension KeyedArray: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) {
    for (key, value) in elements {
      hasher.combine(key)
      hasher.combine(value)
    }
  }
}
