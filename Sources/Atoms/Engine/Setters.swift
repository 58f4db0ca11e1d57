import ActorStore

/// The setters of `GetSetAtom`s that run again when something they have read changes.
struct Setters: Sendable {
  /// A setter that has run.
  struct Setter: Sendable {
    /// The node of its atom.
    let atom: NodeID
    /// Runs the setter with the value that was set last.
    let apply: @Sendable () -> Void
    /// The order in which the atoms were set last.
    let order: UInt64
    /// The node that depends on what it has read and cannot change itself.
    let node: NodeID
    /// Differs after each change of the setter, so that a transaction notices those by others.
    fileprivate(set) var edition: UInt64
  }

  /// By the nodes of their atoms.
  private var all: [NodeID: Setter] = [:]
  private var atoms: [NodeID: NodeID] = [:]
  /// The number of changes.
  private(set) var edition: UInt64 = 0

  var isEmpty: Bool { all.isEmpty }
  var atomNodes: some Sequence<NodeID> { all.keys }

  subscript(atom: NodeID) -> Setter? { all[atom] }

  /// The setter that a node stands for.
  func setter(at node: NodeID) -> Setter? { atoms[node].flatMap { all[$0] } }

  /// Adds the setter of an atom that has none.
  mutating func add(_ apply: @escaping @Sendable () -> Void, of atom: NodeID, node: NodeID) {
    edition += 1
    atoms[node] = atom
    all[atom] = Setter(atom: atom, apply: apply, order: edition, node: node, edition: edition)
  }

  /// Notes that a setter has run again.
  mutating func change(_ atom: NodeID) {
    edition += 1
    all[atom]?.edition = edition
  }

  /// Forgets the setter of an atom, and returns it, which the caller releases without the lock.
  mutating func remove(_ atom: NodeID) -> Setter? {
    guard let setter = all.removeValue(forKey: atom) else { return nil }
    edition += 1
    atoms[setter.node] = nil
    return setter
  }
}

extension GraphState {
  /// Forgets the setter of an atom, and returns it, which the caller releases without the lock.
  mutating func removeSetter(of atom: NodeID) -> AnyPublished? {
    guard !setters.isEmpty, let setter = setters.remove(atom) else { return nil }
    logic.removeSetter(setter.node)
    return Published(setter)
  }

  /// Whether a change of nodes may make setters run again.
  @inline(__always)  // HP19
  mutating func mayConcernSetters(_ nodes: @autoclosure () -> [NodeID]) -> Bool {
    !setters.isEmpty && mayConcern(nodes())
  }

  /// It is `mutating` only to keep the compiler from copying the struct.
  @inline(never)  // HP22
  private mutating func mayConcern(_ nodes: [NodeID]) -> Bool { logic.mayConcernSetters(nodes) }

  /// Whether a transaction has checked all setters that it concerns, and no other transaction has changed them.
  func areCurrent(_ own: OwnSetters, written: [NodeID]) -> Bool {
    if !own.isCurrent(setters) { return false }
    if written.isEmpty || setters.isEmpty { return true }
    var known = Set(written)
    let nodes = logic.cleanSetters(above: written, except: &known) + logic.dirtySetters
    return nodes.allSatisfy { node in setters.setter(at: node).map { own.contains($0.atom) } ?? true }
  }

  /// Replaces the setters with those of a transaction that has made its changes.
  ///
  /// - Returns: What the caller releases without the lock.
  mutating func commit(_ own: OwnSetters) -> [AnyPublished] {
    var unused: [AnyPublished] = []
    if own.forgetsAll {
      for atom in setters.atomNodes.sorted(by: { $0.index < $1.index }) {
        removeSetter(of: atom).map { unused.append($0) }
      }
    }
    for entry in own.inOrder {
      if !entry.isSet { settle(entry, &unused) } else { replace(entry, &unused) }
    }
    return unused
  }

  /// Updates a setter that was set earlier.
  private mutating func settle(_ entry: OwnSetters.Entry, _ unused: inout [AnyPublished]) {
    guard let setter = setters[entry.atom] else { return }
    if entry.isForgotten {
      removeSetter(of: entry.atom).map { unused.append($0) }
      return
    }
    if entry.hasRun { setters.change(entry.atom) }
    if !logic.settleSetter(setter.node, reads: entry.reads) { removeSetter(of: entry.atom).map { unused.append($0) } }
  }

  /// Replaces a setter whose atom the transaction has set.
  private mutating func replace(_ entry: OwnSetters.Entry, _ unused: inout [AnyPublished]) {
    removeSetter(of: entry.atom).map { unused.append($0) }
    guard let apply = entry.apply, !logic[entry.atom].isRemoved else { return }
    let node = logic.addSetter()
    makeRoom(for: node)
    if logic.settleSetter(node, reads: entry.reads) {
      setters.add(apply, of: entry.atom, node: node)
    } else {
      logic.removeSetter(node)
    }
  }
}
