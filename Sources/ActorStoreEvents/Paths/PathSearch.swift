/// A search for the chains of declared paths that lead from a root to a leaf with a number of keys.
///
/// It starts at the leaf, because children declare their parents. The search ends, because each step uses up a key,
/// uses up a name, or leads to a type that the current run of steps without keys and names has not visited.
struct PathSearch {
  /// A place in the search.
  private struct Place: Hashable {
    var type: ObjectIdentifier
    /// The number of keys for the steps above.
    var keys: Int
    /// The number of names for the steps above.
    var names: Int
    /// The types that the current run of steps without keys and names has left.
    var run: [ObjectIdentifier] = []
  }

  /// The keys, or `nil` to look for chains that need a number of keys of any types.
  private let keys: [PathKey]?
  private let names: [String]
  private let root: ObjectIdentifier
  private let limit: Int
  /// The chain to the current place, from the leaf up.
  private var chain: [any ParentLink] = []
  /// The places from which no chain leads to the root.
  ///
  /// Without them, a tree with two paths of the same type at each level would take exponential time.
  private var deadEnds: Set<Place> = []
  /// The chains that have been found, each from the root to the leaf.
  private(set) var found: [[any ParentLink]] = []

  /// Searches with keys, for as many chains as necessary.
  init(_ root: any Sendable.Type, _ leaf: any ChildState.Type, _ keys: [PathKey], _ names: [String], limit: Int) {
    self.init(root, leaf, keys: keys, count: keys.count, names, limit: limit)
  }

  /// Searches for chains that need a number of keys.
  init(_ root: any Sendable.Type, _ leaf: any ChildState.Type, count: Int, _ names: [String], limit: Int) {
    self.init(root, leaf, keys: nil, count: count, names, limit: limit)
  }

  private init(
    _ root: any Sendable.Type, _ leaf: any ChildState.Type, keys: [PathKey]?, count: Int, _ names: [String], limit: Int
  ) {
    self.keys = keys
    self.names = names
    self.root = ObjectIdentifier(root)
    self.limit = limit
    _ = climb(from: leaf, Place(type: ObjectIdentifier(leaf), keys: count, names: names.count))
  }

  /// Searches upward, and returns whether it has found a chain.
  private mutating func climb(from type: (any ChildState.Type)?, _ place: Place) -> Bool {
    var isFound = false
    if place.type == root, place.keys == 0, place.names == 0 {
      found.append(chain.reversed())
      isFound = true
    }
    guard let links = type?.links else { return isFound }
    if links.count > 1, deadEnds.contains(place) { return false }
    for link in links where found.count < limit {
      guard let next = step(up: link, from: place) else { continue }
      chain.append(link)
      if climb(from: link.declaredParent, next) { isFound = true }
      chain.removeLast()
    }
    if links.count > 1, !isFound { deadEnds.insert(place) }
    return isFound
  }

  /// The place above a path, or `nil` if the search cannot go there.
  private func step(up link: any ParentLink, from place: Place) -> Place? {
    var next = Place(type: ObjectIdentifier(link.parent), keys: place.keys, names: place.names)
    let isNamed = place.names > 0 && link.name == names[place.names - 1]
    if isNamed { next.names -= 1 }
    if link.keyType != nil {
      guard place.keys > 0, keys.map({ link.accepts($0[place.keys - 1]) }) ?? true else { return nil }
      next.keys -= 1
    } else if !isNamed {
      next.run = place.run + [place.type]
      if next.run.contains(next.type) { return nil }
    }
    return next
  }
}
