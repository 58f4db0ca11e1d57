/// A set of small nonnegative integers that inserts, removes, and finds a member in constant time.
///
/// The members are in insertion order, except that removing a member moves the last one into its place. A loop over
/// `members` from the last index to the first may therefore remove the member that it visits.
///
/// Source: Briggs and Torczon, "An Efficient Representation for Sparse Sets", 1993.
struct SparseSet: Hashable, Sendable {
  private(set) var members: [Int] = []
  /// The index of each member in `members`.
  ///
  /// The entries for other integers are arbitrary.
  private var indices: [Int] = []

  var isEmpty: Bool { members.isEmpty }
  var count: Int { members.count }

  func contains(_ member: Int) -> Bool {
    guard member < indices.count else { return false }
    let index = indices[member]
    return index < members.count && members[index] == member
  }

  /// Inserts a member, or does nothing if the set already contains it.
  mutating func insert(_ member: Int) {
    if contains(member) { return }
    while indices.count <= member { indices.append(0) }
    indices[member] = members.count
    members.append(member)
  }

  /// Removes a member, or does nothing if the set does not contain it.
  mutating func remove(_ member: Int) {
    guard contains(member), let last = members.popLast(), last != member else { return }
    members[indices[member]] = last
    indices[last] = indices[member]
  }

  /// Removes all members, but keeps the memory for later ones.
  mutating func removeAll() {
    members.removeAll(keepingCapacity: true)
  }

  /// Compares the members in order.
  static func == (one: SparseSet, other: SparseSet) -> Bool { one.members == other.members }

  func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
