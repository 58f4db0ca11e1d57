import ActorStore
import Synchronization

/// The nodes and values of one store of atoms, the shell around `GraphStateMachine`.
///
/// No user code runs under its lock: no closure, comparison, or release of a value. Everything that a step no longer
/// needs is returned and released after unlocking.
final class Graph: Sendable {
  let state = GraphLock()
  /// The cells whose addresses are not in their definitions, and the cells of atoms with hidden atoms.
  ///
  /// `visibleCell(of:)` searches only this table, because it must not use the visible atom.
  let table = NodeTable()
  /// A number that no other graph has, and that is not 0.
  let number = Graph.numbers.add(1, ordering: .relaxed).newValue

  private static let numbers = Atomic<UInt64>(0)

  /// Whether an atom has ever been injected.
  let hasInjections = Atomic(false)
  let problems: ProblemHandler
  /// Whether the graph notes which values are read, for tests.
  let isRecording: Bool
  /// The clock of debounced and throttled reads.
  let clock: GraphClock
  /// The observations that call closures on the actors of their owners.
  let observations = ObservationRegistry()
  let reference = GraphReference()
  let delivery = Delivery()

  init(_ problems: ProblemHandler, isRecording: Bool = false, _ clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = GraphClock(clock)
    self.problems = problems
    self.isRecording = isRecording
    show(0)
    // A former graph at this address may have left announcements.
    CurrentThread.forgetAnnouncements(to: self)
  }

  deinit {
    var cells = SegmentedArray<Unretained<Cell>?>()
    var members = Members<MemberHolder>()
    var countdowns: [NodeID: Countdown] = [:]
    let watches = state.withLock { state in
      cells = state.takeCells()
      swap(&countdowns, &state.countdowns)
      swap(&members, &state.members)
      return state.watches
    }
    for watch in watches.values { watch.finish() }
    for countdown in countdowns.values { countdown.cancel() }
    for cell in cells { cell?.with { $0.takeRun() }?.cancel() }
    for cell in cells { cell?.with { $0.cancelWaiting() } }
    while let cell = cells.popLast() { ReleaseQueue.release(cell?.release()) }
    var held = members.takeAll()
    ReleaseQueue.release(all: &held)
  }

  static func key(of definition: AnyAtomDefinition) -> UInt { UInt(bitPattern: ObjectIdentifier(definition)) }

  // MARK: Nodes

  /// The cell of an atom, without a reference to it, or `nil` if there is none or another thread moves it.
  ///
  /// The graph holds the cell until the definition removes it, so the cell exists as long as the caller has the atom.
  @inline(__always)  // HP13
  func find(_ definition: AnyAtomDefinition) -> Unretained<Cell>? {
    definition.homeCell(in: self) ?? findInTable(Self.key(of: definition))
  }

  @inline(never)  // HP21
  private func findInTable(_ key: UInt) -> Unretained<Cell>? { Unretained(address: table.find(key)) }

  /// Calls a closure with the cell of an atom, which is created if necessary.
  ///
  /// A cell that exists is not retained.
  @inline(__always)  // HP24
  func withCell(of definition: AnyAtomDefinition, _ body: (Cell) -> Void) {
    if let cell = find(definition) { cell.with(body) } else { body(cell(of: definition)) }
  }

  /// The cell of an atom, which is created if necessary.
  func cell(of definition: AnyAtomDefinition) -> Cell {
    if let cell = find(definition) { return cell.retained }
    if let source = definition.source { update(from: source) }
    let new = definition.makeCell()
    let (cell, mustDropMembers, mustDeliver) = state.withLockBackingOff { state in
      (add(new, definition, &state), state.canDropMembers, beginDelivery(&state))
    }
    if mustDropMembers { dropMembers() }
    // Closures added with `onUpdate(skip:)` receive the first value before the caller changes it.
    if mustDeliver { deliver() }
    return cell
  }

  /// Adds a new cell, or returns the one that another thread has added.
  func add(_ cell: Cell, _ definition: AnyAtomDefinition, _ state: inout GraphState) -> Cell {
    if let cell = find(definition) { return cell.retained }
    let lifetime = definition.lifetime
    let node = state.logic.add(
      isSource: cell.isSource, isRun: cell.isRun, keepsAlive: lifetime.isForever, isTimed: lifetime.time != nil)
    cell.join(node, state.logic.validity(node))
    cell.note(self)
    state.add(cell)
    let (handlers, isHome) = definition.join(self, cell)
    if !isHome || definition.hasHiddenAtoms { table.insert(Self.key(of: definition), Unretained(cell).address) }
    if definition.isMember { state.members.add(definition.holder) }
    for handler in handlers { addWatcher(handler, cell, &state) }
    return cell
  }

  /// Removes the node of an atom that is gone.
  ///
  /// - Parameters:
  ///   - key: The key of the definition.
  ///   - homeCell: The cell, if the definition stores its address.
  func remove(_ key: UInt, _ homeCell: Unretained<Cell>?) {
    // This is not a point, because the last copy of an atom may go while a lock is held.
    touch()
    var (removed, run, countdown): (Cell?, AnyRun?, Countdown?)
    let evaluation = Evaluation.current(in: self)
    var (watch, unused, mustDeliver) = state.withLockBackingOff { state -> (Watch?, Leftovers, Bool) in
      // Under the lock, the graph holds the cell.
      guard let cell = (homeCell ?? findInTable(key))?.retained else { return (nil, Leftovers(), false) }
      table.remove(key)
      let watch = state.removeWatch(cell)
      evaluation?.noteInputs(&state)
      let former = state.logic.revision
      let (isUnseen, values) = state.logic.remove(cell.node)
      var unused = Leftovers(values: values)
      if let setter = state.removeSetter(of: cell.node) { unused.closures.append(setter) }
      if state.logic.revision > former { publishRevision(&state) }
      if isUnseen {
        _ = state.remove(cell.node)
        if let injections = state.removeInjections(cell.node) { unused.closures.append(Published(injections)) }
      }
      removed = cell
      run = cell.takeRun()
      countdown = state.countdowns.removeValue(forKey: cell.node)
      state.warned.remove(cell.node)
      releaseUnused(to: &unused.used, &state)
      return (watch, unused, beginDelivery(&state))
    }
    watch?.finish()
    run?.cancel()
    countdown?.cancel()
    if let node = removed?.node, let setter = evaluation?.setters.remove(node) {
      unused.closures.append(Published(setter))
    }
    // The queue gets the last references.
    ReleaseQueue.release(removed.take())
    ReleaseQueue.release(watch.take())
    ReleaseQueue.release(run.take())
    unused.release()
    if mustDeliver { deliver() }
  }

  /// What a removed node leaves behind, to release without the lock.
  private struct Leftovers: Sendable {
    var used = Unused()
    var values: [AnyPublished] = []
    /// The setters and injections.
    var closures: [AnyPublished] = []

    mutating func release() {
      ReleaseQueue.release(all: &closures)
      used.release()
      ReleaseQueue.release(all: &values)
    }
  }

  /// Makes the newest revision visible, after the cells that it affects have become invalid.
  func publishRevision(_ state: inout GraphState) {
    // An iterator would retain the array.
    for index in state.logic.marked.indices {
      state.unretainedCell(state.logic.marked[index]).with { $0.invalidate(at: state.logic.revision) }
    }
    if !state.signals.isEmpty { state.mustSignal = true }
    show(state.logic.revision)
  }

  /// Makes a revision visible to readers without the lock.
  ///
  /// If the graph records reads, these readers find no valid value, and take the lock.
  @inline(__always)  // HP13
  func show(_ new: Revision) { state.revision.store(isRecording ? .never : new, ordering: .releasing) }
}
