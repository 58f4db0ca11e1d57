import ActorStore

/// The setters that a transaction has run or checked, or forgets.
struct OwnSetters: Sendable {
  struct Entry: Sendable {
    /// The node of the atom.
    let atom: NodeID
    /// Runs the setter, or `nil` if the transaction forgets it.
    let apply: (@Sendable () -> Void)?
    /// Whether the transaction has set the atom.
    let isSet: Bool
    /// The order in which the setters run.
    let order: UInt64
    /// The edition of the setter in the store at the first use, or `nil` if there was none.
    let edition: UInt64?
    /// Whether the setter has run in the transaction.
    var hasRun = false
    /// What the setter has read and cannot change itself.
    var reads: Set<NodeID> = []
    /// What the setter has seen of these nodes.
    fileprivate(set) var seen: [Evaluation.Seen] = []
    /// The reads, and what they were computed from.
    fileprivate(set) var inputs: Set<NodeID> = []

    var isForgotten: Bool { apply == nil }
  }

  /// By the nodes of their atoms.
  private var entries: [NodeID: Entry] = [:]
  /// The entries that a change of a node concerns.
  private var readers: [NodeID: Set<NodeID>] = [:]
  private var lastOrder = Self.firstOrder
  /// The nodes above which the transaction has searched for setters of the store.
  private var searched: Set<NodeID> = []
  /// Whether it has checked the setters of the store that were dirty.
  private var hasCheckedDirty = false
  /// The edition of all setters when the transaction forgot them, if it did.
  private var editionOfAll: UInt64?

  // Atoms that the transaction sets follow those that were set before.
  private static let firstOrder: UInt64 = 1 << 63

  var isEmpty: Bool { entries.isEmpty && !forgetsAll }
  var forgetsAll: Bool { editionOfAll != nil }
  var inOrder: [Entry] { entries.values.sorted { ($0.order, $0.atom.index) < ($1.order, $1.atom.index) } }

  subscript(atom: NodeID) -> Entry? { entries[atom] }

  func contains(_ atom: NodeID) -> Bool { forgetsAll || entries[atom] != nil }

  /// The setters whose inputs contain a node.
  func readers(of node: NodeID) -> [Entry] { (readers[node] ?? []).compactMap { entries[$0] } }

  /// The setters of the store that writes concern and that the transaction does not know, in their order.
  ///
  /// All searches of a transaction together visit each node once.
  mutating func search(above written: Set<NodeID>, _ state: GraphState) -> [Setters.Setter] {
    if forgetsAll || state.setters.isEmpty { return [] }
    let new = Array(written).filter { searched.insert($0).inserted }
    var nodes = state.logic.cleanSetters(above: new, except: &searched)
    if !hasCheckedDirty { nodes += state.logic.dirtySetters }
    hasCheckedDirty = true
    let setters = nodes.compactMap { state.setters.setter(at: $0) }
    return setters.filter { !contains($0.atom) }.sorted { $0.order < $1.order }
  }

  /// Whether no other transaction has changed the setters.
  func isCurrent(_ all: Setters) -> Bool {
    if let editionOfAll { return editionOfAll == all.edition }
    return entries.values.allSatisfy { $0.edition == all[$0.atom]?.edition }
  }

  // The caller releases the former entries, because the release of a setter or value may drop or set atoms.

  /// Notes a setter that the transaction checks.
  mutating func add(_ setter: Setters.Setter, reads: Set<NodeID>) {
    entries[setter.atom] = Entry(
      atom: setter.atom, apply: setter.apply, isSet: false, order: setter.order, edition: setter.edition, reads: reads)
  }

  /// Notes that an atom was set.
  mutating func set(_ atom: NodeID, _ apply: @escaping @Sendable () -> Void, edition: UInt64?) -> Entry? {
    lastOrder += 1
    return replace(Entry(atom: atom, apply: apply, isSet: true, order: lastOrder, edition: edition, hasRun: true))
  }

  /// Notes that the transaction forgets a setter.
  mutating func forget(_ atom: NodeID, edition: UInt64?) -> Entry? {
    replace(Entry(atom: atom, apply: nil, isSet: false, order: 0, edition: edition))
  }

  /// Notes that an atom is gone, and its setter with it.
  mutating func remove(_ atom: NodeID) -> Entry? {
    guard let former = entries.removeValue(forKey: atom) else { return nil }
    for input in former.inputs { readers[input]?.remove(atom) }
    return former
  }

  private mutating func replace(_ entry: Entry) -> Entry? {
    for input in entries[entry.atom]?.inputs ?? [] { readers[input]?.remove(entry.atom) }
    let former = entries[entry.atom]
    var new = entry
    // The first use counts.
    if let former {
      new = Entry(
        atom: entry.atom, apply: entry.apply, isSet: entry.isSet || former.isSet, order: entry.order,
        edition: former.edition, hasRun: entry.hasRun)
    }
    entries[entry.atom] = new
    return former
  }

  /// Forgets all setters, including those that the transaction does not know.
  mutating func forgetAll(edition: UInt64) -> OwnSetters {
    let former = self
    entries = [:]
    readers = [:]
    searched = []
    editionOfAll = editionOfAll ?? edition
    return former
  }

  /// Notes what a setter has seen.
  mutating func note(_ seen: [Evaluation.Seen], inputs: Set<NodeID>, for atom: NodeID) -> [Evaluation.Seen] {
    guard let former = entries[atom] else { return [] }
    entries[atom]?.seen = seen
    setInputs(inputs, for: atom)
    return former.seen
  }

  /// Notes what the setter's reads were computed from.
  mutating func setInputs(_ inputs: Set<NodeID>, for atom: NodeID) {
    guard let former = entries[atom]?.inputs, former != inputs else { return }
    for input in former.subtracting(inputs) { readers[input]?.remove(atom) }
    for input in inputs.subtracting(former) { readers[input, default: []].insert(atom) }
    entries[atom]?.inputs = inputs
  }

  /// Notes that a setter has run again.
  mutating func ran(_ atom: NodeID, reads: Set<NodeID>) {
    entries[atom]?.hasRun = true
    entries[atom]?.reads = reads
  }
}
