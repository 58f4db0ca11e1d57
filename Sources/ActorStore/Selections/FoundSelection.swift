/// The result of a search for a selection: an existing one, or a new one with its inputs.
///
/// The nodes are compared without a lock. So the store's list can have changed by the time the caller takes the lock.
struct FoundSelection: Sendable {
  typealias StateMachine = SharedSelections.StateMachine

  let selection: SharedSelection
  /// The new selections with their inputs, each after its inputs.
  fileprivate let made: [(selection: SharedSelection, inputs: [SharedSelection])]
  /// The selections that existed.
  fileprivate let known: [SharedSelection]
  /// The entries that were compared.
  fileprivate let compared: Set<StateMachine.ID>

  /// Searches for the selection with a node, and makes it if there is none.
  ///
  /// - Parameters:
  ///   - candidates: Returns the entries with a hash.
  ///   - make: Makes a new selection.
  init(
    _ top: any AnySelectionNode, among candidates: (_ hash: Int) -> [StateMachine.Known],
    make: (any AnySelectionNode) -> SharedSelection
  ) {
    var (made, known, compared): ([(SharedSelection, [SharedSelection])], [SharedSelection], Set<StateMachine.ID>)
    (made, known, compared) = ([], [], [])
    var madeByHash: [Int: [SharedSelection]] = [:]

    func find(_ node: any AnySelectionNode) -> SharedSelection {
      let candidates = candidates(node.hash)
      compared.formUnion(candidates.lazy.map(\.id))
      if let found = candidates.first(where: { $0.selection.node.matches(node) })?.selection {
        known.append(found)
        return found
      }
      if let found = madeByHash[node.hash]?.first(where: { $0.node.matches(node) }) { return found }
      let inputs = node.inputs.map(find)
      let new = make(node)
      made.append((new, inputs))
      if new.node !== top { madeByHash[node.hash, default: []].append(new) }
      return new
    }

    selection = find(top)
    (self.made, self.known, self.compared) = (made, known, compared)
  }
}

extension SharedSelections.StateMachine {
  func id(of selection: SharedSelection) -> ID? {
    candidates(selection.node.hash).first { $0.selection === selection }?.id
  }

  /// The entry of a selection, which is added with its inputs if necessary.
  ///
  /// Returns `nil`, changing nothing, if the entries have changed since the search. A removed selection must not be
  /// added again, because the committing task may have yet to publish its last value.
  mutating func admit(_ found: FoundSelection) -> ID? {
    if let id = id(of: found.selection) { return id }
    guard found.known.allSatisfy({ id(of: $0) != nil }) else { return nil }
    guard found.made.allSatisfy({ hasOnly(found.compared, $0.selection.node.hash) }) else { return nil }
    // The last one is the selection itself.
    var last: ID?
    for (selection, inputs) in found.made {
      last = add(selection, hash: selection.node.hash, inputs: inputs.compactMap { id(of: $0) })
    }
    return last
  }
}
