import ActorStore
import Synchronization

/// Computes the value of a cell in place of the atom's own closure, and passes the result to the evaluation.
///
/// Called without a lock.
typealias Formula = @Sendable (Cell, Evaluation) -> Void

/// What replaces an atom's default value or closure in one graph.
struct Injection: Sendable {
  let formula: Formula
  /// Sets the atom on top of the injection to a value in memory.
  var set: @Sendable (Graph, ValueSlot) -> Void
  /// The cell of the hidden atom with what was assigned on top.
  ///
  /// The formula holds that atom.
  let last: Cell
  /// What assigns a value of the atom without transforming it.
  let assignment: @Sendable (AnyPublished) -> AnyPublished
  /// The steps that reset that atom, with the closures for a reset.
  let resetSteps: @Sendable ([@Sendable (AnyPublished) -> AnyPublished]) -> AnyAtomDefinition.ResetSteps
  /// The asynchronous atom that replaces another one, if the injection is an operation or a sequence.
  var replacement: AnyAtomDefinition?
}

/// The injections of one atom in one graph.
struct Injections: Sendable {
  /// The injections, oldest first, with `nil` for the atom's own closure.
  private var all: [(start: Revision, injection: Injection?)] = []
  /// The injection with which an atom without a closure behaves as without one.
  let own: Injection?
  /// Whether an injection is in effect, and not the atom's own value or closure.
  private(set) var isActive = false

  init(own: Injection?) { self.own = own }

  /// The injection at the newest revision.
  var current: Injection? { all.last?.injection }

  /// The injection at a revision.
  func injection(at revision: Revision) -> Injection? { all.last { $0.start <= revision }?.injection }

  /// The cells of the hidden atoms with what was assigned, that of the current injection last.
  var hiddenCells: [Cell] { [own, isActive ? current : nil].compactMap { $0?.last } }

  /// Whether former injections remain, which a pin can see.
  var hasFormer: Bool { all.count > 1 }

  /// Changes the injection at a new revision, or ends it.
  mutating func set(_ injection: Injection?, at revision: Revision) {
    isActive = injection != nil
    all.append((revision, injection ?? own))
  }

  /// Forgets the injections that no pin sees, and returns them, which the caller releases without the lock.
  mutating func trim(oldestPin: Revision?) -> [Injection] {
    var unseen: [Injection] = []
    while all.count > 1, all[1].start <= oldestPin ?? .never {
      if let injection = all.removeFirst().injection { unseen.append(injection) }
    }
    return unseen
  }
}

extension Graph {
  /// The injection that replaces an atom here, if there is one.
  @inline(__always)  // HP24
  func injection(of definition: AnyAtomDefinition) -> Injection? {
    hasInjections.load(ordering: .relaxed) ? findInjection(of: definition) : nil
  }

  @inline(never)  // HP24
  private func findInjection(of definition: AnyAtomDefinition) -> Injection? {
    let revision = Evaluation.current(in: self)?.logic.revision ?? .never
    return state.withLockBackingOff { state in
      find(definition).flatMap { $0.with { state.injections[$0.node]?.injection(at: revision) } }
    }
  }

  /// Sets an atom, or its injection, to a value in memory, and leaves a value to release there.
  func write(_ definition: AnyAtomDefinition, _ value: ValueSlot) {
    if Self.isSimulated { beginSimulatedWrite(definition, value) }
    if let injection = injection(of: definition) {
      write(definition, value, to: injection)
    } else {
      definition.write(in: self, value)
    }
  }

  @inline(never)  // HP24
  private func beginSimulatedWrite(_ definition: AnyAtomDefinition, _ value: ValueSlot) {
    // Other tasks see a transaction's changes only after it commits, so setting an atom inside one is not a point.
    if Evaluation.current(in: self) == nil { point() }
    note("sets", cell(of: definition), " to", value)
  }

  @inline(never)  // HP24
  private func write(_ definition: AnyAtomDefinition, _ value: ValueSlot, to injection: Injection) {
    if refuseSet(definition) { return }
    if !definition.isMember { return injection.set(self, value) }
    transaction {
      state.withLockBackingOff { hold(definition, &$0) }
      injection.set(self, value)
    }
  }

  /// Replaces an atom's default value or closure, or removes the replacement.
  func inject(_ definition: AnyAtomDefinition, _ injection: @autoclosure () -> Injection?) {
    if refuseInjection(definition) { return }
    point("changes the injection of \(definition.label)")
    let injection = injection()
    if injection != nil { hasInjections.store(true, ordering: .relaxed) }
    let own =
      injection == nil || self.injection(of: definition) != nil ? nil : definition.makeOwnInjection(in: self)
    let cell = cell(of: definition)
    var (unused, setter, mustDeliver) = state.withLockBackingOff { state -> (Leftovers, AnyPublished?, Bool) in
      var injections = state.injections[cell.node] ?? Injections(own: own)
      if injection == nil, !injections.isActive { return (Leftovers(), nil, false) }
      var unused = Leftovers()
      hold(definition, &state)
      state.logic.advance()
      if state.logic[cell.node].isSource, let own = injections.own {
        if let value = assign(cell, to: own.last, own.assignment, &state) { unused.values.append(value) }
      }
      let former = state.logic[cell.node].isSource && state.logic.mustKeep(cell.node) ? cell.makeBox() : nil
      state.logic.replaceFormula(of: cell.node, old: former)
      injections.set(injection, at: state.logic.revision)
      state.injections[cell.node] = injections
      state.formerInjections.insert(cell.node)
      unused.injections = state.trimInjections()
      let setter = state.removeSetter(of: cell.node)
      if !state.logic.has(.keepWaiting) {
        unused.wake = definition.runs.flatMap { find($0)?.retained }?.interruptWaiting(&state)
      }
      state.noteCause(cell)
      publishRevision(&state)
      releaseUnused(to: &unused.used, &state)
      return (unused, setter, startDelivering(&state))
    }
    unused.used.release()
    withExtendedLifetime((unused, setter)) {}
    unused.wake?()
    if mustDeliver { deliver() }
  }

  /// Assigns the value of an atom without a closure to the hidden atom of its own injection.
  ///
  /// No evaluation can read that one before the injection is in effect.
  private func assign(
    _ cell: Cell, to last: Cell, _ assignment: (AnyPublished) -> AnyPublished, _ state: inout GraphState
  ) -> AnyPublished? {
    guard let value = cell.makeBox() else { return nil }
    state.logic.replaceValue(of: last.node, old: nil, new: nil)
    if !state.logic.isAssigned(cell.node) { state.logic[last.node].flags.remove(.assigned) }
    return last.replace(state.logic.validity(last.node), with: assignment(value))
  }

  private struct Leftovers: Sendable {
    var used = Unused()
    var values: [AnyPublished] = []
    var injections: [Injection] = []
    /// Wakes the tasks that wait for a result, so that they check again.
    var wake: (@Sendable () -> Void)?
  }

  /// Reports an injection in a derivation, a snapshot, or a transaction, and returns whether there is one.
  private func refuseInjection(_ definition: AnyAtomDefinition) -> Bool {
    if refuseSet(definition) { return true }
    guard Evaluation.current(in: self) != nil else { return false }
    let problem = AtomProblem.injectionInTransaction(definition.label)
    Evaluation.outside { problems.report(problem) }
    return true
  }
}

extension GraphState {
  /// Forgets the injections that no pin sees, and returns them, which the caller releases without the lock.
  mutating func trimInjections() -> [Injection] {
    var unseen: [Injection] = []
    for node in formerInjections {
      unseen += injections[node]?.trim(oldestPin: logic.pins.oldest) ?? []
      if injections[node]?.hasFormer != true { formerInjections.remove(node) }
    }
    return unseen
  }

  /// Forgets the injections of a node that is gone, and returns them, which the caller releases without the lock.
  mutating func removeInjections(_ node: NodeID) -> Injections? {
    formerInjections.remove(node)
    return injections.removeValue(forKey: node)
  }
}
