import ActorStore

/// The members of families that a graph holds.
struct Members: Sendable {
  fileprivate var all: [AnyAtomDefinition] = []
  fileprivate var countToSearch = 64

  mutating func add(_ definition: AnyAtomDefinition) { all.append(definition) }

  mutating func release() { while let next = all.popLast() { ReleaseQueue.release(next) } }
}

extension Graph {
  /// Holds an atom that has just joined a family.
  func add(member definition: AnyAtomDefinition) {
    state.withLockBackingOff { $0.members.add(definition) }
  }

  /// Holds a member of a family again, because the graph is about to need it.
  ///
  /// Called under the lock under which the graph begins to need it, or in an evaluation.
  func hold(_ definition: AnyAtomDefinition, _ state: inout GraphState) {
    guard let node = find(definition)?.with({ $0.node }), state.logic[node].flags.contains(.unheld) else { return }
    state.logic[node].flags.remove(.unheld)
    state.members.add(definition)
  }

  /// Drops the members of families that nobody holds and the graph does not need: constant time for each held member, on average.
  ///
  /// Does nothing if it is too early, or while an evaluation may be about to need one of them. The caller releases the
  /// result without the lock.
  func dropMembers(_ state: inout GraphState) -> [AnyAtomDefinition] {
    if state.members.all.count < state.members.countToSearch || !state.logic.pins.isEmpty { return [] }
    var all: [AnyAtomDefinition] = []
    swap(&all, &state.members.all)
    let readBySetters = Set(state.appliers.all.flatMap(\.reads))
    var (needed, unneeded): ([AnyAtomDefinition], [AnyAtomDefinition]) = ([], [])
    for index in all.indices {
      // Whoever holds the atom can make the graph need it.
      if isKnownUniquelyReferenced(&all[index]), let cell = find(all[index])?.retained,
        !readBySetters.contains(cell.node), !needs(cell, state)
      {
        state.logic[cell.node].flags.formUnion(.unheld)
        unneeded.append(all[index])
      } else {
        needed.append(all[index])
      }
    }
    state.members = Members(all: needed, countToSearch: max(64, 2 * needed.count))
    return unneeded
  }

  func release(_ unneeded: [AnyAtomDefinition]) {
    var unneeded = unneeded
    while !unneeded.isEmpty { ReleaseQueue.release(unneeded.removeLast()) }
  }

  /// Whether an atom has state that must not go with its last copy.
  private func needs(_ cell: Cell, _ state: GraphState) -> Bool {
    let record = state.logic[cell.node]
    if record.uses > 0 || !record.dependents.isEmpty || state.appliers[cell.node] != nil { return true }
    if state.injections[cell.node]?.isActive == true { return true }
    return ([cell] + hiddenCells(of: cell, state)).contains { state.logic.isAssigned($0.node) }
  }
}
