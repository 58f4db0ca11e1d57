import ActorStore

/// A reference from graphs to a member of a family.
///
/// All graphs hold the same object, so that each of them sees whether anyone else holds the atom.
final class MemberHolder: Sendable {
  private let definition: Locked<AnyAtomDefinition>

  init(_ definition: AnyAtomDefinition) { self.definition = Locked(definition) }

  func cell(in graph: Graph) -> Cell? { definition.withLock { graph.find($0)?.retained } }

  /// Whether only graphs hold the atom.
  var isAlone: Bool { definition.withLock { isKnownUniquelyReferenced(&$0) } }
}

/// The members of families that a graph holds.
///
/// When there are twice as many members as the last search found to be needed, a search for unneeded ones begins. Each
/// further member allows only a few examinations, so that no change to a family takes long.
struct Members<Member: Sendable>: Sendable {
  private var all = SegmentedArray<Member>()
  private var countToSearch = Self.smallestSearch
  /// The number of members that the current search has found to be needed.
  private var neededCount = 0
  /// The number of members that the current search has yet to examine, or 0 if there is no search.
  private var unexaminedCount = 0
  /// The number of examinations that are allowed now.
  private(set) var steps = 0

  static var smallestSearch: Int { 64 }
  /// The number of further examinations that each new member allows.
  static var stepsPerMember: Int { 16 }

  mutating func add(_ member: Member) {
    all.append(member)
    if unexaminedCount == 0 { beginSearch() }
    if unexaminedCount > 0 { steps = min(steps + Self.stepsPerMember, all.count) }
  }

  /// Begins a search, unless there are too few members.
  private mutating func beginSearch() {
    if all.count >= countToSearch { (unexaminedCount, neededCount) = (all.count, 0) }
  }

  /// Examines the next few members, and removes and returns the unneeded ones.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of members to examine.
  ///   - isNeeded: A closure that returns whether a member is needed.
  mutating func takeUnneeded(limit: Int, _ isNeeded: (Member) -> Bool) -> [Member] {
    var unneeded: [Member] = []
    for _ in 0..<min(limit, steps) {
      (unexaminedCount, steps) = (unexaminedCount - 1, steps - 1)
      // The search goes from the last member to the first. So this search does not examine the last member anymore, and
      // that one can fill the gap.
      if isNeeded(all[unexaminedCount]) {
        neededCount += 1
      } else {
        all.swapAt(unexaminedCount, all.count - 1)
        unneeded.append(all.removeLast())
      }
      if unexaminedCount > 0 { continue }
      // Does not count members that joined during the search, because they may be unneeded. If there are many, another
      // search begins.
      countToSearch = max(Self.smallestSearch, 2 * neededCount)
      beginSearch()
      if unexaminedCount == 0 {
        steps = 0
        break
      }
    }
    return unneeded
  }

  /// Begins a search of all members and allows all of its examinations, for tests.
  mutating func searchNow() {
    (unexaminedCount, steps, neededCount) = (all.count, all.count, 0)
  }

  mutating func takeAll() -> [Member] {
    defer { self = Members() }
    return Array(all)
  }
}

extension GraphState {
  /// Whether a search may examine members, and no evaluation may be about to need one of them.
  var canDropMembers: Bool { members.steps > 0 && logic.pins.count <= pinnedRuns }
}

extension Graph {
  /// Holds an atom that has just joined a family.
  func add(member definition: AnyAtomDefinition) {
    let holder = definition.holder
    state.withLockBackingOff { $0.members.add(holder) }
  }

  /// Holds a member of a family whose companion the caller may use.
  func hold(member definition: AnyAtomDefinition) {
    let cell = cell(of: definition)
    state.withLockBackingOff { hold(cell, &$0) }
  }

  /// Holds a member of a family again, because the graph is about to need it.
  ///
  /// Called under the lock under which the graph begins to need it, or in an evaluation.
  func hold(_ definition: AnyAtomDefinition, _ state: inout GraphState) {
    if let cell = find(definition) { cell.with { hold($0, &state) } }
  }

  /// Holds a member of a family again, whose atom the caller holds.
  @inline(__always)  // HP24
  func hold(_ cell: Cell, _ state: inout GraphState) {
    if state.logic.has(.unheld, cell.node) { holdAgain(cell, &state) }
  }

  @inline(never)  // HP24
  private func holdAgain(_ cell: Cell, _ state: inout GraphState) {
    state.logic[cell.node].flags.remove(.unheld)
    state.members.add(cell.definition.holder)
  }

  /// Continues the search for unneeded members of families, and drops those that only graphs hold.
  ///
  /// Each hold of the lock examines a constant number of them.
  func dropMembers() {
    // The limit is taken at the beginning, so that the loop ends even if other threads keep adding members.
    var steps = Int.max
    while steps > 0 {
      var unneeded = state.withLockBackingOff { state -> [MemberHolder] in
        steps = state.canDropMembers ? min(steps, state.members.steps) : 0
        return steps > 0 ? dropMembers(&state) : []
      }
      ReleaseQueue.release(all: &unneeded)
      steps -= Self.examinationsPerHold
    }
  }

  private static let examinationsPerHold = 64

  /// Drops some members of families, if `canDropMembers`.
  ///
  /// The caller releases the result without the lock.
  func dropMembers(_ state: inout GraphState) -> [MemberHolder] {
    var members = Members<MemberHolder>()
    swap(&members, &state.members)
    defer { swap(&members, &state.members) }
    return members.takeUnneeded(limit: Self.examinationsPerHold) { holder in
      // Code that holds the atom can make the graph need it.
      guard holder.isAlone, let cell = holder.cell(in: self),
        !needs(cell, state) || state.logic.has(.loseMember)
      else { return true }
      state.logic[cell.node].flags.formUnion(.unheld)
      // Until the atom is released, an evaluation can still get it from its family. Its read must take the lock.
      cell.refuseReaders()
      return false
    }
  }

  /// Whether an atom has state that must not go with its last copy.
  private func needs(_ cell: Cell, _ state: GraphState) -> Bool {
    if state.logic[cell.node].uses > 0 || cell.definition.isCompanionHeld { return true }
    let companion = cell.definition.companion.flatMap { find($0)?.retained }
    if let companion, needs(companion, state) { return true }
    let dependents = state.logic[cell.node].dependents
    if dependents.indices.contains(where: { dependents[$0].node != companion?.node }) { return true }
    if state.setters[cell.node] != nil { return true }
    if state.injections[cell.node]?.isActive == true { return true }
    return ([cell] + hiddenCells(of: cell, state)).contains { state.logic.isAssigned($0.node) }
  }
}
