import ActorStore
import Synchronization

extension Graph {
  // MARK: Setting

  /// Sets an atom to a value in memory, and leaves a value to release there.
  @inline(__always)  // HP24
  func set(_ definition: AnyAtomDefinition, _ new: ValueSlot) {
    if CurrentThread.isEvaluating {
      if refuseSet(definition) { return }
      if let evaluation = Evaluation.current(in: self) { return evaluation.write(definition, new) }
    }
    withCell(of: definition) { if !$0.setDirectly(new) { set($0, definition, new) } }
  }

  private func set(_ cell: Cell, _ definition: AnyAtomDefinition, _ new: ValueSlot) {
    var step = SetStep.done
    state.withLockToSet { if !trySetUnseen(cell, new, &$0) { step = trySetSeen(cell, new, nil, &$0) } }
    if case .done = step { return }
    finishSet(step, cell, definition, new)
  }

  @inline(never)  // HP24
  private func finishSet(_ first: SetStep, _ cell: Cell, _ definition: AnyAtomDefinition, _ new: ValueSlot) {
    var step = first
    while true {
      switch step {
      case .done: return
      case .deliver(let step): return deliver(step)
      case .compare(let known, let version):
        if cell.isEqual(known, to: new) { return }
        step = state.withLockToSet { trySetSeen(cell, new, version, &$0) }
      // Setters may have to run again in the same revision, or another thread has injected the atom.
      case .transact: return transaction { write(definition, new) }
      }
    }
  }

  private enum SetStep {
    case done
    case deliver(DeliveryStep)
    /// The caller compares the new value with this one, of this version.
    ///
    /// If they are equal, setting the atom has no effect.
    case compare(AnyPublished, Version)
    case transact
  }

  /// Fast path.
  ///
  /// Sets a source that nothing depends on or watches, and whose former value nothing sees. Returns `false`, changing
  /// nothing, for other atoms, if the atom is open, and if the graph has other work to do.
  @inline(__always)  // HP19
  private func trySetUnseen(_ cell: Cell, _ new: ValueSlot, _ state: inout GraphState) -> Bool {
    if cell.isOpen || !state.isQuiet { return false }
    let former = cell.firstRevision
    guard let validity = state.logic.replaceUnseenValue(of: cell.node) else { return false }
    _ = cell.exchange(validity, with: new)
    show(state.logic.revision)
    openForDirectSets(cell, setAt: former, &state)
    return true
  }

  /// Sets an atom, unless the caller must first compare values, or needs a transaction.
  @inline(never)  // HP19
  private func trySetSeen(
    _ cell: Cell, _ new: ValueSlot, _ comparedVersion: Version?, _ state: inout GraphState
  ) -> SetStep {
    self.state.closeAtoms(&state)
    let (isSource, version, isUnseen) = state.logic.setting(cell.node)
    if !isSource || state.mayConcernSetters([cell.node]) { return .transact }
    // If nothing depends on the atom, setting an equal value has no visible effect, so do not compare.
    if !isUnseen || state.log != nil, comparedVersion != version {
      if cell.hasNumbers {
        // No user code runs here.
        if cell.isEqual(toNumber: new) { return .done }
      } else if cell.isComparable, let box = cell.makeBox() {
        return .compare(box, version)
      }
    }
    hold(cell, &state)
    write(cell, new, &state)
    return startDelivering(&state) ? .deliver(nextStep(&state)) : .done
  }

  private func write(_ cell: Cell, _ new: ValueSlot, _ state: inout GraphState) {
    let node = cell.node
    state.logic.advance()
    if state.log != nil {
      state.noteCause(cell)
      state.note(cell, new, at: state.logic.revision)
    }
    let (isKept, isWatched) = (state.logic.mustKeep(node), state.logic[node].isWatched)
    if isKept || isWatched {
      state.logic.replaceValue(
        of: node, old: isKept ? cell.makeBox() : nil, new: isWatched ? cell.makeBox(of: new) : nil)
    } else {
      state.logic.replaceUnkeptValue(of: node)
    }
    _ = cell.exchange(state.logic.validity(node), with: new)
    publishRevision(&state)
  }

  // MARK: Transactions

  /// Runs a closure whose sets become visible at once, and runs it again if something it read has changed.
  func transaction<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if let outer = Evaluation.current(in: self) {
      return try outer.run { () throws(Failure) -> Result in try outer.nest(body) }
    }
    if Evaluation.refusingSets(in: self) != nil { return try snapshot(body) }
    var repeats = 0
    while true {
      point("begins a transaction")
      seeOwnChanges()
      let evaluation = Evaluation(self, state.withLockBackingOff { beginTransaction(&$0) })
      let result: Result
      do throws(Failure) {
        result = try evaluation.run(body)
      } catch {
        end(evaluation)
        throw error
      }
      evaluation.run { evaluation.repeatSetters() }
      point()
      let completions = commit(evaluation)
      let isDone = completions != nil
      if !isDone { repeats += 1 }
      let changes = repeats == 100 ? labelsOfChanges(after: evaluation) : []
      note(isDone ? "commits the transaction" : "repeats the transaction, because something that it read has changed")
      end(evaluation)
      if let completions {
        for complete in completions { complete() }
        evaluation.effects.perform()
        return result
      }
      state.withLockBackingOff { $0.repeats += 1 }
      if repeats == 100 { Evaluation.outside { problems.report(.repeatedTransaction(changes)) } }
    }
  }

  private enum Commit {
    case done([AnyPublished], completions: [@Sendable () -> Void])
    case `repeat`
    /// Another thread is about to start a run of an atom that the transaction has set.
    case wait
    case compare([Comparison])
  }

  /// A value that a transaction has written, and the value that is in the store.
  private struct Comparison {
    let cell: Cell
    let known: AnyPublished
    let version: Version
    let new: AnyPublished
  }

  /// Commits a transaction, or returns `nil` if something it read has changed.
  ///
  /// The caller calls the results after the delivery.
  private func commit(_ evaluation: Evaluation) -> [@Sendable () -> Void]? {
    var compared: [NodeID: (version: Version, isEqual: Bool)] = [:]
    while true {
      switch state.withLockBackingOff({ tryCommit(evaluation, compared, &$0) }) {
      case .done(let unseen, let completions):
        withExtendedLifetime(unseen) {}
        return completions
      case .repeat:
        return nil
      case .wait:
        Self.yield()
      case .compare(let comparisons):
        for one in comparisons {
          compared[one.cell.node] = (one.version, one.cell.isEqual(one.known, one.new))
        }
      }
    }
  }

  private func tryCommit(
    _ evaluation: Evaluation, _ compared: [NodeID: (version: Version, isEqual: Bool)], _ state: inout GraphState
  ) -> Commit {
    if !state.logic.isCurrent(evaluation.logic) { return .repeat }
    if !state.areCurrent(evaluation.setters, written: evaluation.logic.written) { return .repeat }
    var comparisons: [Comparison] = []
    var writes: [(cell: Cell, new: AnyPublished)] = []
    for node in evaluation.logic.written where !state.logic[node].isRemoved {
      guard let new = evaluation.logic.own[node]?.value else { continue }
      let cell = state.cell(node)
      let version = state.logic[node].version
      if let known = compared[node], known.version == version {
        if !known.isEqual { writes.append((cell, new)) }
      } else if cell.isComparable, let known = cell.makeBox() {
        comparisons.append(Comparison(cell: cell, known: known, version: version, new: new))
      } else {
        writes.append((cell, new))
      }
    }
    if !comparisons.isEmpty { return .compare(comparisons) }
    if writes.contains(where: { $0.cell.isRun && state.logic[$0.cell.node].claim != .none }) { return .wait }
    if !writes.isEmpty { state.logic.advance() }
    var unseen = writes.filter { !$0.cell.isRun }.compactMap { replace($0.cell, $0.new, &state) }
    var completions: [@Sendable () -> Void] = []
    for (cell, new) in writes where cell.isRun {
      if let complete = cell.assign(new, &unseen, &state) { completions.append(complete) }
    }
    for node in evaluation.logic.written where evaluation.logic.own[node]?.isDefault == true {
      state.logic[node].flags.remove(.assigned)
    }
    if !evaluation.setters.isEmpty { unseen += state.commit(evaluation.setters) }
    if writes.isEmpty { return .done(unseen, completions: []) }
    publishRevision(&state)
    if state.logic.deliveries.isDelivering { state.logic.endChange(isInCallback: isDeliveringHere) }
    return .done(unseen, completions: completions)
  }

  /// Gives a source a value that a transaction has written, in the newest revision.
  ///
  /// Returns the former value, which the caller releases without the lock.
  func replace(_ cell: Cell, _ new: AnyPublished, _ state: inout GraphState) -> AnyPublished? {
    let node = cell.node
    if state.log != nil {
      state.noteCause(cell)
      state.note(cell, new, at: state.logic.revision)
    }
    state.logic.replaceValue(
      of: node, old: state.logic.mustKeep(node) ? cell.makeBox() : nil,
      new: state.logic[node].isWatched ? new : nil)
    return cell.replace(state.logic.validity(node), with: new)
  }
}

extension Evaluation {
  /// Whether sets have no effect here.
  var isReadOnly: Bool { !logic.isTransaction || logic.isDeriving || isInSnapshot }

  /// The innermost derivation, or what runs instead.
  var label: String {
    if !logic.isDeriving { return isReadOnly ? "a snapshot" : "a transaction" }
    return graph.state.withLockBackingOff { $0.label(of: logic.frame.node) }
  }

  /// Runs a nested transaction, whose sets are undone if it throws.
  fileprivate func nest<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isReadOnly || Failure.self == Never.self { return try body() }
    let savepoint = logic.nest()
    // Holds what an undo replaces, because the release of a value or a setter may use atoms.
    var former = setters
    let effectCount = effects.count
    var undone: [Effect] = []
    let unused: [EvaluationStateMachine<AnyPublished>.Own]
    defer { withExtendedLifetime((unused, former, undone)) {} }
    do throws(Failure) {
      let result = try body()
      unused = logic.unnest(undoingTo: nil)
      return result
    } catch {
      if !logic.recordings.isEmpty { graph.state.withLockBackingOff { noteInputs(&$0) } }
      unused = logic.unnest(undoingTo: savepoint)
      swap(&setters, &former)
      undone = effects.removeLast(downTo: effectCount)
      throw error
    }
  }

  /// Runs a snapshot inside this evaluation.
  func snapshot<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    repeatSetters()
    let outer = isInSnapshot
    isInSnapshot = true
    defer { isInSnapshot = outer }
    return try run(body)
  }

  /// Records a value that the transaction sets, a value in memory.
  fileprivate func write(_ definition: AnyAtomDefinition, _ new: ValueSlot) {
    let cell = graph.cell(of: definition)
    graph.state.withLockBackingOff { graph.hold(cell, &$0) }
    write(cell.makeBox(of: new), to: cell)
  }

  func write(_ box: AnyPublished, to cell: Cell, isDefault: Bool = false) {
    let version = graph.state.withLockBackingOff { state in
      noteInputs(&state)
      return state.logic.newVersion()
    }
    let former = logic.write(box, version: version, to: cell.node, isDefault: isDefault)
    withExtendedLifetime(former) {}
  }
}
