import ActorStore

/// A reference from graphs to a member of a family.
///
/// All graphs hold the same object, so that each of them sees whether anyone else holds the atom.
final class MemberHolder: Sendable {
  let key: UInt
  private let definition: Locked<AnyAtomDefinition>

  init(_ definition: AnyAtomDefinition) {
    key = Graph.key(of: definition)
    self.definition = Locked(definition)
  }

  /// Whether only graphs hold the atom.
  var isAlone: Bool { definition.withLock { isKnownUniquelyReferenced(&$0) } }
}

/// The members of families that a graph holds.
struct Members: Sendable {
  fileprivate var all: [MemberHolder] = []
  fileprivate var countToSearch = 64

  mutating func add(_ holder: MemberHolder) { all.append(holder) }

  /// Lets the next search begin.
  mutating func searchNow() { countToSearch = 0 }

  mutating func takeAll() -> [MemberHolder] {
    defer { all = [] }
    return all
  }
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
  func hold(_ cell: Cell, _ state: inout GraphState) {
    if !state.logic[cell.node].flags.contains(.unheld) { return }
    state.logic[cell.node].flags.remove(.unheld)
    state.members.add(cell.definition.holder)
  }

  /// Drops the members of families that nobody holds and the graph does not need: constant time for each held member,
  /// on average.
  ///
  /// Does nothing if it is too early, or while an evaluation may be about to need one of them. The caller releases the
  /// result without the lock.
  func dropMembers(_ state: inout GraphState) -> [MemberHolder] {
    if state.members.all.count < state.members.countToSearch || state.logic.pins.count > state.pinnedRuns {
      return []
    }
    var (needed, unneeded): ([MemberHolder], [MemberHolder]) = ([], [])
    for holder in state.members.takeAll() {
      // Whoever holds the atom can make the graph need it.
      if holder.isAlone, let cell = Unretained<Cell>(address: table.find(holder.key))?.retained,
        !needs(cell, state) || state.logic.has(.loseMember)
      {
        state.logic[cell.node].flags.formUnion(.unheld)
        // Whoever gets the atom from its family meanwhile, and reads it in an evaluation, takes the lock.
        cell.refuseReaders()
        unneeded.append(holder)
      } else {
        needed.append(holder)
      }
    }
    state.members = Members(all: needed, countToSearch: max(64, 2 * needed.count))
    return unneeded
  }

  func release(_ unneeded: [MemberHolder]) {
    var unneeded = unneeded
    ReleaseQueue.release(all: &unneeded)
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
