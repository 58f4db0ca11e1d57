@testable import Atoms

/// An element whose ID counts how often it is hashed or compared.
struct Row: Identifiable, Sendable {
  struct ID: Hashable, Sendable {
    let number: Int
    let uses: Tally

    static func == (one: Self, other: Self) -> Bool {
      one.uses.add()
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) {
      uses.add()
      hasher.combine(number)
    }
  }

  let id: ID
  var name = ""

  /// Creates rows, which count in one place.
  static func make(_ count: Int, _ uses: Tally) -> [Row] {
    (0..<count).map { Row(id: ID(number: $0, uses: uses)) }
  }
}

extension Tally {
  /// The number of times that a closure adds one.
  func count(_ body: () -> Void) -> Int {
    let before = value
    body()
    return value - before
  }
}

/// An element without `Equatable`.
struct Item: Identifiable, Sendable {
  var id: Int
  var name: String

  /// An atom with three items.
  static func makeAtom() -> Atom<[Item]> {
    Atom([Item(id: 1, name: "a"), Item(id: 2, name: "b"), Item(id: 3, name: "c")]).debugLabel("items")
  }
}
