import ActorStore

/// The atoms of a store at one revision, with their values and dependencies.
public struct AtomGraph: Sendable {
  /// An atom in a graph.
  public struct Node: Identifiable, Sendable {
    /// A number that identifies the atom in this graph.
    public let id: Int
    /// The label of the atom.
    public let label: String
    /// The value, or `nil` if a derived atom has never been computed.
    public let value: (any Sendable)?
    /// The version of the value.
    ///
    /// Each new value of an atom has a higher version.
    public let version: UInt64
    /// Whether the value is computed from other atoms.
    public let isDerived: Bool
    /// Whether something that a derived atom has read may have changed since.
    public let isStale: Bool
    /// The number of streams, observations, and `onUpdate(skip:)` closures.
    public let watchers: Int
    /// The atoms that a derived atom read in its last run, in the order of the reads.
    public let dependencies: [Int]
  }

  /// The revision of the store.
  public let revision: UInt64
  /// All atoms that were read or set here, in the order of their IDs.
  public let atoms: [Node]

  /// The graph as text for Graphviz.
  ///
  /// Boxes are sources. Ellipses are derived atoms. A dashed ellipse may be out of date. Arrows lead from an atom to
  /// the atoms that read it.
  public var dot: String {
    var lines = ["digraph atoms {", "  rankdir=LR"]
    for atom in atoms {
      let value = atom.value.map { "\n\($0)" } ?? ""
      let shape = atom.isDerived ? "ellipse" : "box"
      lines.append(
        "  \(atom.id) [label=\(Self.quoted(atom.label + value)) shape=\(shape)\(atom.isStale ? " style=dashed" : "")]")
    }
    for atom in atoms { for dependency in atom.dependencies { lines.append("  \(dependency) -> \(atom.id)") } }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text {
      switch character {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n", "\r\n": quoted += "\\n"
      default: quoted.append(character)
      }
    }
    return quoted + "\""
  }
}

extension GraphState {
  /// What a node has read, with what hidden nodes have read in place of these, in the order of the reads.
  fileprivate func visibleDependencies(of node: NodeID) -> [NodeID] {
    var (visible, known): ([NodeID], Set<NodeID>) = ([], [node])
    /// What a node has read that is not known yet, the last read first.
    func newReads(of node: NodeID) -> [NodeID] {
      let reads = logic[node].reads.map { logic[node].dependencies[$0].node }
      return reads.filter { $0 != .none && known.insert($0).inserted }.reversed()
    }
    var next = newReads(of: node)
    while let read = next.popLast() {
      if cell(read).definition.isHidden { next += newReads(of: read) } else { visible.append(read) }
    }
    return visible
  }
}

extension AtomStore {
  /// The atoms that were read or set here, at one revision.
  ///
  /// Reading this property runs no derivation. The cost is proportional to the number of atoms and dependencies, and
  /// other callers wait meanwhile.
  public var graph: AtomGraph {
    core.touch(isWrite: false)
    let (revision, nodes) = core.state.withLockBackingOff { state in
      (
        state.logic.revision,
        state.visibleCells.map { cell in
          let record = state.logic[cell.node]
          return (
            // Safe: under the lock, definitions exist whose nodes are in the graph.
            record: record, node: cell.node, label: cell.definition.label, value: cell.makeBox(), cell: cell,
            watchers: state.watches[cell.node]?.count ?? 0, dependencies: state.visibleDependencies(of: cell.node)
          )
        }
      )
    }
    return AtomGraph(
      revision: revision,
      atoms: nodes.map { node in
        AtomGraph.Node(
          id: Int(node.node.index), label: node.label, value: node.value.map { node.cell.anyValue(of: $0) },
          version: node.record.version, isDerived: !node.record.isSource, isStale: node.record.dirtyAt != .never,
          watchers: node.watchers,
          dependencies: node.dependencies.map { Int($0.index) })
      }.sorted { $0.id < $1.id })
  }

  /// Counts that describe the work of a store.
  public struct Diagnostics: Hashable, Sendable {
    /// The number of atoms that were read or set here and still exist.
    public let atoms: Int
    /// The number of times that a transaction ran again because something that it read may have changed.
    public let repeats: Int
    /// The number of former values and removed atoms that a running derivation, snapshot, or transaction may still see.
    public let kept: Int
    /// Whether a derivation, a transaction, or a snapshot runs.
    public let isPinned: Bool
  }

  /// The current counts.
  public var diagnostics: Diagnostics {
    core.touch(isWrite: false)
    return core.state.withLockBackingOff { state in
      Diagnostics(
        atoms: state.visibleCells.count, repeats: state.repeats, kept: state.logic.keptCount,
        isPinned: !state.logic.pins.isEmpty)
    }
  }
}
