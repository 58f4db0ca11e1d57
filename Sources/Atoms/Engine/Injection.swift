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
  let set: @Sendable (Graph, ValueSlot) -> Void
  /// The cell of the hidden atom with the value that was set on top.
  ///
  /// The formula holds that atom.
  let last: Cell
  /// The steps that reset that atom, with the closures for a reset.
  let resetSteps: @Sendable ([@Sendable (AnyPublished) -> AnyPublished]) -> AnyAtomDefinition.ResetSteps
}

/// The injections of one atom in one graph.
struct Injections: Sendable {
  /// The injections, oldest first, with `nil` for the atom's own closure.
  private var all: [(start: Revision, injection: Injection?)] = []
  /// The value that an atom without a closure had before the injection.
  private(set) var saved: AnyPublished?

  /// The injection at the newest revision.
  var current: Injection? { all.last?.injection }

  /// The injection at a revision.
  func injection(at revision: Revision) -> Injection? { all.last { $0.start <= revision }?.injection }

  /// Changes the injection at a new revision, and forgets those that no pin sees.
  mutating func set(_ injection: Injection?, at revision: Revision, oldestPin: Revision?) {
    all.append((revision, injection))
    let oldest = oldestPin ?? revision
    while all.count > 1, all[1].start <= oldest { all.removeFirst() }
  }

  mutating func save(_ value: AnyPublished?) { saved = value }
}

extension Graph {
  /// The injection that replaces an atom here, if there is one.
  func injection(of definition: AnyAtomDefinition) -> Injection? {
    if !hasInjections.load(ordering: .relaxed) { return nil }
    let revision = Evaluation.current(in: self)?.logic.revision ?? .never
    return state.withLockBackingOff { state in
      find(definition).flatMap { $0.with { state.injections[$0.node]?.injection(at: revision) } }
    }
  }

  /// Sets an atom, or its injection, to a value in memory, and leaves a value to release there.
  func write(_ definition: AnyAtomDefinition, _ value: ValueSlot) {
    guard let injection = injection(of: definition) else { return definition.write(in: self, value) }
    if !refuseSet(definition) { injection.set(self, value) }
  }

  /// Replaces an atom's default value or closure, or removes the replacement.
  func inject(_ definition: AnyAtomDefinition, _ injection: @autoclosure () -> Injection?) {
    if refuseInjection(definition) { return }
    let injection = injection()
    if injection != nil { hasInjections.store(true, ordering: .relaxed) }
    let cell = cell(of: definition)
    var former: Injections?
    let (unseen, setter, mustDeliver) = state.withLockBackingOff { state in
      former = state.injections[cell.node]
      if injection == nil, former?.current == nil { return ([AnyPublished](), Appliers.Applier?.none, false) }
      state.logic.advance()
      let unseen = replace(cell, injection, &state)
      let setter = state.appliers.removeSetter(cell.node)
      publishRevision(&state)
      return (unseen, setter, startDelivering(&state))
    }
    withExtendedLifetime((unseen, setter, former)) {}
    if mustDeliver { deliver() }
  }

  private func replace(_ cell: Cell, _ injection: Injection?, _ state: inout GraphState) -> [AnyPublished] {
    let (node, revision) = (cell.node, state.logic.revision)
    let isSource = state.logic[node].isSource
    let isKept = state.logic.mustKeep(node)
    var injections = state.injections[node] ?? Injections()
    defer { state.injections[node] = injections }
    injections.set(injection, at: revision, oldestPin: state.logic.pins.oldest)
    if isSource { injections.save(cell.makeBox()) }
    guard injection == nil, let saved = injections.saved else {
      return state.logic.replaceFormula(of: node, old: isSource && isKept ? cell.makeBox() : nil)
    }
    if state.log != nil { state.note(cell, saved, at: revision) }
    let isValid = state.logic[node].isValid(at: revision)
    var unseen = state.logic.makeSource(
      node, old: isValid && isKept ? cell.makeBox() : nil, new: state.logic[node].isWatched ? saved : nil)
    if let value = cell.replace(state.logic.validity(node), with: saved) { unseen.append(value) }
    injections.save(nil)
    return unseen
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
