/// A set of small nonnegative integers that inserts, removes, and finds a member in constant time (Briggs and Torczon,
/// "An Efficient Representation for Sparse Sets", 1993).
///
/// `members` lists the set in the order of insertion, except that removing a member moves the last one into its place.
/// So a loop that visits `members` from the last index to the first may remove the member it visits.
struct SparseSet: Hashable, Sendable {
  private(set) var members: [Int] = []
  /// The index of each member in `members`; of other integers, any number.
  private var indices: [Int] = []

  var isEmpty: Bool { members.isEmpty }
  var count: Int { members.count }

  func contains(_ member: Int) -> Bool {
    guard member < indices.count else { return false }
    let index = indices[member]
    return index < members.count && members[index] == member
  }

  /// Does nothing if the set has the member already.
  mutating func insert(_ member: Int) {
    if contains(member) { return }
    while indices.count <= member { indices.append(0) }
    indices[member] = members.count
    members.append(member)
  }

  /// Does nothing if the set does not have the member.
  mutating func remove(_ member: Int) {
    guard contains(member), let last = members.popLast(), last != member else { return }
    members[indices[member]] = last
    indices[last] = indices[member]
  }

  /// Removes all members and keeps the memory for the next ones.
  mutating func removeAll() {
    members.removeAll(keepingCapacity: true)
  }

  /// Compares the members in their order.
  static func == (one: SparseSet, other: SparseSet) -> Bool { one.members == other.members }

  func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
