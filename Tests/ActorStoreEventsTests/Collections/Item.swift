struct Item: Identifiable, Hashable, Codable, Sendable, Comparable {
  var id: Int
  var value: Int

  init(_ id: Int, _ value: Int) { (self.id, self.value) = (id, value) }

  static func < (one: Item, other: Item) -> Bool { (one.value, one.id) < (other.value, other.id) }
}

struct Refusal: Error, Equatable {}
