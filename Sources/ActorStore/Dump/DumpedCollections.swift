/// A dictionary of any type, whose entries are found by their keys without reflection.
protocol DumpedDictionary {
  /// The first entries, in any order.
  func entries(atMost count: Int) -> [(key: Any, value: Any)]

  /// Calls a closure with each key of two dictionaries of the same type, and its values in both, until the closure
  /// returns `false`.
  func forEachKey(with other: Any, _ body: (_ key: Any, _ old: Any?, _ new: Any?) -> Bool)
}

extension Dictionary: DumpedDictionary {
  func entries(atMost count: Int) -> [(key: Any, value: Any)] { prefix(count).map { ($0.key, $0.value) } }

  func forEachKey(with other: Any, _ body: (_ key: Any, _ old: Any?, _ new: Any?) -> Bool) {
    guard let other = other as? Self else { return }
    for (key, old) in self where !body(key, old, other[key].map { $0 as Any }) { return }
    for (key, new) in other where self[key] == nil {
      if !body(key, nil, new) { return }
    }
  }
}

/// A set of any type, whose elements are found without reflection.
protocol DumpedSet {
  /// Calls a closure with each element of two sets of the same type, until the closure returns `false`.
  func forEachElement(with other: Any, _ body: (_ element: Any, _ isOld: Bool, _ isNew: Bool) -> Bool)
}

extension Set: DumpedSet {
  func forEachElement(with other: Any, _ body: (_ element: Any, _ isOld: Bool, _ isNew: Bool) -> Bool) {
    guard let other = other as? Self else { return }
    for element in self where !body(element, true, other.contains(element)) { return }
    for element in other where !contains(element) {
      if !body(element, false, true) { return }
    }
  }
}
