/// An array whose elements can be found and removed by key in constant time.
///
/// Elements stand in the order of insertion, except that removing one moves the last into its place. So a loop that
/// goes from the last index to the first may remove the element it visits, and a loop that leaves off at an index and
/// goes on later misses no element that was there from the start. Unlike the order of a dictionary, the order is the
/// same in every run of a simulated schedule.
struct KeyedArray<Key: Hashable, Element> {
  private var elements: [(key: Key, value: Element)] = []
  private var indices: [Key: Int] = [:]

  var count: Int { elements.count }
  var isEmpty: Bool { elements.isEmpty }
  var keys: [Key] { elements.map(\.key) }
  var values: [Element] { elements.map(\.value) }
  var first: Element? { elements.first?.value }

  /// The element at an index from 0 up to, not including, `count`.
  subscript(index: Int) -> (key: Key, value: Element) { elements[index] }

  /// The element of a key.
  ///
  /// Setting nil removes the element. Setting the element of a new key appends it.
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

  /// The element of a key, in place; appends a default if the key is new.
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

  /// Changes the element of a key in place; returns nil if there is none.
  mutating func change<Result>(_ key: Key, _ body: (inout Element) -> Result) -> Result? {
    guard let index = indices[key] else { return nil }
    return body(&elements[index].value)
  }

  private mutating func append(_ element: Element, for key: Key) {
    indices[key] = elements.count
    elements.append((key, element))
  }

  /// Removes the element of a key and returns it.
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
  /// Compares the elements in their order.
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
