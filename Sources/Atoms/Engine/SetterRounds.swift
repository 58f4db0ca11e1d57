/// The order in which a transaction checks setters.
///
/// A round checks each setter at most once, in the order in which the atoms were set. A setter that another one
/// concerns is checked in the same round if it follows, and otherwise in the next one.
struct SetterRounds: Hashable, Sendable {
  struct Place: Comparable, Hashable, Sendable {
    let order: UInt64
    let atom: NodeID

    static func < (one: Place, other: Place) -> Bool {
      (one.order, one.atom.index) < (other.order, other.atom.index)
    }
  }

  /// The rest of the current round, the next place last.
  private var current: [Place] = []
  private var last: Place?
  /// The places of the current round, and those of the next one.
  private var (known, following): (Set<Place>, Set<Place>) = ([], [])
  /// The number of rounds that have begun.
  private(set) var count = 0

  /// The setters that remain to be checked.
  var rest: [NodeID] { (current.reversed() + following.sorted()).map(\.atom) }

  /// Adds setters: O(places of the current round) if one of them is new to it.
  mutating func add(_ places: some Sequence<Place>) {
    var isSorted = true
    for place in places {
      guard let last, place > last else {
        following.insert(place)
        continue
      }
      if known.insert(place).inserted {
        current.append(place)
        isSorted = false
      }
    }
    if !isSorted { current.sort(by: >) }
  }

  /// Takes the next setter, or returns `nil` if there is none.
  mutating func next() -> NodeID? {
    if current.isEmpty {
      if following.isEmpty { return nil }
      current = following.sorted(by: >)
      (known, following) = (following, [])
      count += 1
    }
    last = current.popLast()
    return last?.atom
  }
}
