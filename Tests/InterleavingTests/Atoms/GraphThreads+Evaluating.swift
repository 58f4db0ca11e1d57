@testable import Atoms

extension GraphThreads {
  // MARK: Evaluating

  mutating func need(_ node: Int, _ index: Int) {
    let id = Self.id(node)
    guard let found = logic.find(id, for: threads[index].evaluation!) else {
      threads[index].bases.append(threads[index].evaluation!.visits.count)
      threads[index].evaluation!.visits.append(.init(node: id))
      threads[index].task = .step
      return
    }
    let value: Int
    switch found {
    case .current:
      value = cells[node].value ?? -1
      let validity = logic.validity(id)
      cells[node].validFrom = validity.validFrom
      cells[node].dirtyAt = validity.dirtyAt
    case .kept(_, let kept): value = kept
    }
    threads[index].evaluation!.track(id, found.stamp, isSource: logic[id].isSource, .unknown)
    if threads[index].runs.isEmpty {
      threads[index].task = .got(value)
    } else {
      threads[index].runs[threads[index].runs.count - 1].values.append(value)
      readNext(index)
    }
  }

  private mutating func readNext(_ index: Int) {
    let run = threads[index].runs[threads[index].runs.count - 1]
    threads[index].task = formula(run.node, index).next(after: run.values).map { .need($0) } ?? .finish
  }

  /// The formula at the revision of a thread's evaluation.
  private func formula(_ node: Int, _ index: Int) -> Formula {
    formula(node, at: threads[index].evaluation!.revision)!
  }

  mutating func step(_ index: Int) {
    switch logic.step(&threads[index].evaluation!, base: threads[index].bases[threads[index].bases.count - 1]) {
    case .done:
      threads[index].bases.removeLast()
      // The node that was needed is up to date now.
      if threads[index].runs.isEmpty {
        threads[index].task = .need(target(index))
      } else {
        readNext(index)
      }
    case .compute(let id, let isPrivate):
      threads[index].evaluation!.push(id, isPrivate: isPrivate, run: 0)
      threads[index].runs.append(Run(node: Int(id.index), isPrivate: isPrivate))
      readNext(index)
    case .keep: violation = "a node without runs is kept"
    case .cycle: violation = "a cycle where there is none"
    }
  }

  /// The node that the thread reads at the top level.
  private func target(_ index: Int) -> Int {
    if let round = threads[index].round { return Int(round.checks[0].index) }
    switch threads[index].calls[0] {
    case .read(let node): return node
    case .transact: return transactionTarget(index)
    default: return -1
    }
  }

  mutating func finish(_ index: Int) {
    let run = threads[index].runs[threads[index].runs.count - 1]
    let value = formula(run.node, index).result(run.values)
    let isUnchanged = !run.isPrivate && cells[run.node].value == value
    if hasUses {
      threads[index].task = .settle(value, isUnchanged: isUnchanged)
    } else {
      settle(value, isUnchanged: isUnchanged, index)
    }
  }

  mutating func settle(_ value: Int, isUnchanged: Bool, _ index: Int) {
    let run = threads[index].runs.removeLast()
    let id = Self.id(run.node)
    if !run.isPrivate, logic.publish(&threads[index].evaluation!, isUnchanged: isUnchanged) != nil {
      let validity = logic.validity(id)
      if isUnchanged, cells[run.node].value != value { violation = "a value that was kept is gone" }
      cells[run.node] = Cell(value: value, validFrom: validity.validFrom, dirtyAt: validity.dirtyAt)
    } else {
      _ = logic.keep(value, &threads[index].evaluation!)
    }
    threads[index].task = .step
  }

  // MARK: Ending

  mutating func end(_ value: Int, _ index: Int) {
    let evaluation = threads[index].evaluation!
    if threads[index].round != nil { return delivered(value, index) }
    if evaluation.isTransaction { return operated(value, index) }
    expect(value, target(index), at: evaluation.revision, "a read")
    end(evaluation)
    done(index)
  }

  mutating func end(_ evaluation: EvaluationStateMachine<Int>) {
    for id in logic.end(evaluation).nodes { cells[Int(id.index)] = Cell() }
    releaseUnused()
  }

  /// The number of uses that the edges give.
  private func plainUses(_ node: Int) -> Int32 {
    let edges = formulas.indices.reduce(0) { count, user in
      let record = logic[Self.id(user)]
      if record.uses == 0 { return count }
      return count + record.dependencies.indices.count { record.dependencies[$0].node == Self.id(node) }
    }
    return Int32(edges) + (directUses[node] ?? 0)
  }

  mutating func verifyEnd() {
    if violation != nil { return }
    if !logic.pins.isEmpty || logic.keptCount != 0 { violation = "something is left behind" }
    for node in formulas.indices where logic[Self.id(node)].uses != plainUses(node) {
      violation = "\(node) has \(logic[Self.id(node)].uses) uses, not \(plainUses(node))"
    }
    if !threads.isEmpty, threads.allSatisfy({ $0.calls.isEmpty }) { verifyDeliveries() }
  }
}
