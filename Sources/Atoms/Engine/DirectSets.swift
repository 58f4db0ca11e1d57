import ActorStore
import Synchronization

/// Decides which atoms threads may set *directly*, with only the lock of the cell.
///
/// A set needs the graph's lock because it can affect dependents, watchers, pins, setters, or the log. An *unseen* set
/// affects none of them. If an atom has been set since atoms were last closed, and its newest set was unseen, its next
/// set is probably unseen, too. So the graph *opens* the atom: threads may set it directly. Every section under the
/// graph's lock first closes all open atoms, unless it only makes an unseen set. So no other thread sets an open atom
/// while any other section runs.
///
/// Biased locks follow the same principle (Kawachiya, Koseki, and Onodera, "Lock reservation", 2002): the frequent
/// operation takes no shared lock, and the rare one pays for closing.
struct DirectSets: Sendable {
  /// The open atoms.
  private(set) var open = Stack<NodeID>()
  /// The revision at which atoms were last closed.
  private var start: Revision = 0
  /// The number of revisions that must pass after `start` before the graph may open atoms.
  private var minimumCount: UInt64
  private let baseCount: UInt64
  private let countPerAtom: UInt64

  /// The maximum number of open atoms, which limits the time that closing them takes.
  static var maxOpenCount: Int { 1_024 }

  /// Creates a policy.
  ///
  /// Opening and closing an atom takes about as long as setting it, so the policy makes that rare.
  ///
  /// - Parameters:
  ///   - baseCount: The number of revisions that must pass before the graph may open atoms.
  ///   - countPerAtom: The number of additional revisions for each atom that was just closed.
  init(baseCount: UInt64 = 64, countPerAtom: UInt64 = 8) {
    minimumCount = baseCount
    self.baseCount = baseCount
    self.countPerAtom = countPerAtom
  }

  /// Whether a revision came after atoms were last closed.
  ///
  /// The graph opens only atoms that have already been set since then.
  @inline(__always)  // HP26
  func isSinceClosing(_ revision: Revision) -> Bool { revision > start }

  /// Whether the graph may open another atom.
  func canOpen(at revision: Revision) -> Bool {
    revision - start > minimumCount && open.count < Self.maxOpenCount
  }

  /// Whether the maximum number of atoms is open, but the program mostly sets other atoms.
  ///
  /// Only sets of other atoms have created revisions since atoms were last closed.
  func isOutdated(at revision: Revision) -> Bool {
    open.count == Self.maxOpenCount && revision - start > 64 * UInt64(Self.maxOpenCount)
  }

  mutating func add(_ node: NodeID) { open.append(node) }

  /// Notes that all open atoms have been closed, and decides how many revisions must pass before the next one opens.
  mutating func noteClosing(at revision: Revision) {
    start = revision
    minimumCount = baseCount + countPerAtom * UInt64(open.count)
    open.removeAll(from: 0)
  }
}

extension GraphLock {
  /// Closes all open atoms.
  ///
  /// Every section calls this first, unless it only makes an unseen set.
  @inline(__always)  // HP26
  borrowing func closeAtoms(_ state: inout GraphState) {
    if state.directSets.open.count > 0 { closeOpenAtoms(&state) }
  }

  @inline(never)  // HP26
  private borrowing func closeOpenAtoms(_ state: inout GraphState) {
    let number = state.newRun()
    for index in state.directSets.open.indices {
      let node = state.directSets.open[index]
      state.unretainedCell(node).with { cell in
        let count = cell.close(number)
        if count > 0 { cell.keepValue(state.logic.noteDirectSets(count, of: node)) }
      }
    }
    state.directSets.noteClosing(at: state.logic.revision)
    // Unlike `Graph.show`, this shows the revision even if the graph records, but then no atom is open.
    revision.store(state.logic.revision, ordering: .releasing)
  }
}

extension Graph {
  /// Opens an atom for direct sets if the policy allows it.
  ///
  /// Called under the graph's lock, after an unseen set. No pin sees the value, because its revision is new.
  ///
  /// - Parameters:
  ///   - cell: The cell of the atom.
  ///   - former: The revision at which the atom's former value was set.
  @inline(__always)  // HP26
  func openForDirectSets(_ cell: Cell, setAt former: Revision, _ state: inout GraphState) {
    if state.directSets.isSinceClosing(former) { openIfPossible(cell, &state) }
  }

  @inline(never)  // HP26
  private func openIfPossible(_ cell: Cell, _ state: inout GraphState) {
    let revision = state.logic.revision
    if state.directSets.isOutdated(at: revision) { return self.state.closeAtoms(&state) }
    // A graph that records shows no revision.
    if isRecording || !state.directSets.canOpen(at: revision) { return }
    cell.open()
    state.directSets.add(cell.node)
  }
}
