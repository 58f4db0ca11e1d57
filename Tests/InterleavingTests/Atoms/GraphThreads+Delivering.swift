@testable import Atoms

extension GraphThreads {
  mutating func deliver(_ index: Int) {
    if logic.deliveries.isDone() { return endDelivery(index) }
    guard let revision = logic.beginRound() else { return endDelivery(index) }
    let evaluation = logic.begin(at: revision)
    threads[index].evaluation = evaluation
    threads[index].round = logic.deliveries.current
    if evaluation.revision < deliveredRevision { violation = "a delivery at \(evaluation.revision) is too late" }
    deliveredRevision = evaluation.revision
    undelivered.removeAll { $0 == evaluation.revision }
    deliverChange(index)
  }

  private mutating func endDelivery(_ index: Int) {
    threads[index].task = .idle
    if !logic.deliveries.end() { return }
    // The task that delivers the rest.
    logic.deliveries.beginTask()
    if logic.deliveries.begin() { threads[index].task = .deliver }
  }

  /// Delivers the next value of a watched source, or continues with the watched derived node.
  private mutating func deliverChange(_ index: Int) {
    if let change = logic.deliveries.nextChange() {
      delivered.append(change.value)
      react(index)
    } else {
      threads[index].task = logic.deliveries.nextCheck().map { .need(Int($0.index)) } ?? .endRound
    }
  }

  /// Ends the read of a watched derived node.
  mutating func delivered(_ value: Int, _ index: Int) {
    let (evaluation, id) = (threads[index].evaluation!, threads[index].round!.checks[0])
    expect(value, Int(id.index), at: evaluation.revision, "a delivery")
    let version = logic.find(id, for: evaluation)?.stamp.version ?? 0
    let isNew = version != deliveredVersion && value != delivered.last
    deliveredVersion = version
    if isNew {
      delivered.append(value)
      react(index)
    } else {
      threads[index].task = .endRound
    }
  }

  /// Runs the callback, which may set an atom.
  private mutating func react(_ index: Int) {
    if reactions.isEmpty { return reacted(index) }
    let change = reactions.removeFirst()
    if let watched,
      plain(watched, at: logic.revision) != plain(watched, at: logic.revision, after: [change.node: change.value])
    {
      undelivered.append(logic.revision + 1)
    }
    // The thread closes the round in the same locked section.
    set([change], index)
    logic.endChange(isInCallback: true)
  }

  /// Continues after a callback.
  mutating func reacted(_ index: Int) {
    if let watched, formulas[watched] != nil {
      threads[index].task = .endRound
    } else {
      deliverChange(index)
    }
  }

  mutating func endRound(_ index: Int) {
    let evaluation = threads[index].evaluation!
    for id in threads[index].round!.checks {
      logic.delivered(id, version: deliveredVersion, at: evaluation.revision)
    }
    logic.deliveries.endRound()
    end(evaluation)
    threads[index].evaluation = nil
    threads[index].round = nil
    threads[index].task = .deliver
  }

  mutating func verifyDeliveries() {
    guard let watched, !delivered.isEmpty else { return }
    if formulas[watched] == nil {
      var values: [Int] = []
      for state in states where values.last != state[watched] { values.append(state[watched] ?? 0) }
      if delivered != values { violation = "the deliveries are \(delivered), not \(values)" }
    }
    // A node whose value was valid for one revision is checked when the next one begins.
    if logic.checkedNext.isEmpty, delivered.last != plain(watched, at: logic.revision) {
      violation = "the last delivery has \(delivered.last ?? -1)"
    }
    if !undelivered.isEmpty { violation = "the sets of callbacks at \(undelivered) have no delivery" }
  }
}
