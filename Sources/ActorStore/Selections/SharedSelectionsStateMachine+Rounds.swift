/// The rounds that evaluate commits.
extension SharedSelectionsStateMachine {
  /// A selection to evaluate.
  struct Work: Sendable {
    let known: Known
    /// The values of its inputs, in order, which are empty for a leaf.
    let inputs: [Value]
  }

  /// A value that differs from the one that it was compared with.
  struct Change: Sendable {
    let id: ID
    let value: Value
    /// The step of the value that it was compared with.
    let since: UInt64

    init(_ known: Known, _ value: Value) {
      (id, since) = (known.id, known.changedAt)
      self.value = value
    }
  }

  /// A round in progress, which belongs to its thread.
  struct Round: Sendable {
    let revision: UInt64
    /// The last step whose changes by other rounds this round has taken into account.
    fileprivate var step: UInt64
    fileprivate var leaves: [Known]
    fileprivate var changes: [Change] = []
    /// The values of the first `valueCount` changes, which the inputs of others may need.
    fileprivate var values: [ID: Value] = [:]
    fileprivate var valueCount = 0
    /// The other entries to evaluate, by rank.
    fileprivate var queue: [[ID]] = []
    /// No entry in `queue` has a lower rank.
    fileprivate var lowest = 0
    fileprivate var queued: Set<ID> = []

    fileprivate init(_ revision: UInt64, _ step: UInt64, _ leaves: [Known]) {
      (self.revision, self.step, self.leaves) = (revision, step, leaves)
    }

    /// Takes the leaves to evaluate first.
    ///
    /// The caller releases them before it proceeds, or proceeding would copy all of them.
    mutating func takeLeaves() -> [Known] {
      defer { leaves = [] }
      return leaves
    }

    fileprivate mutating func enqueue(_ id: ID, rank: Int) {
      if !queued.insert(id).inserted { return }
      while queue.count <= rank { queue.append([]) }
      queue[rank].append(id)
      lowest = min(lowest, rank)
    }

    /// Takes the entries with the lowest rank.
    fileprivate mutating func popLowest() -> [ID] {
      while lowest < queue.count, queue[lowest].isEmpty { lowest += 1 }
      if lowest == queue.count { return [] }
      defer { queue[lowest] = [] }
      queued.subtract(queue[lowest])
      return queue[lowest]
    }

    /// Adds the newest changes to `values`.
    fileprivate mutating func noteValues() {
      for change in changes[valueCount...] { values[change.id] = change.value }
      valueCount = changes.count
    }
  }

  /// The next step of a round.
  enum Progress: Sendable {
    /// Evaluate these, and call `proceed` with the changes.
    case evaluate([Work])
    case finished(Finished)
  }

  struct Finished: Sendable {
    /// Whether this round is the first of its commit to finish.
    var isFirst = false
    /// The changed values that atoms read.
    var readings: [Reading] = []
    /// The last step before these changes that concerned readers.
    var since: UInt64 = 0
    /// The step of these changes.
    var step: UInt64 = 0
    /// The values that the caller releases without the lock.
    var released: [Released] = []
  }

  /// Begins a round with the state of a commit, or returns `nil` if all values are of this commit or a later one.
  ///
  /// If other values are already of this commit, the round evaluates only the entries without a value.
  mutating func begin(at revision: UInt64) -> Round? {
    if let known = self.revision, known > revision { return nil }
    forgetKnown()
    let isSame = self.revision == revision
    if isSame, unknown.isEmpty { return nil }
    beginRound()
    var round = Round(revision, step, isSame ? [] : leaves)
    if !isSame { for id in arrivals { enqueue(id, in: &round) } }
    for id in unknown where isSame || slots[id.slot].leaf == nil { enqueue(id, in: &round) }
    return round
  }

  /// Notes changes, and returns the selections to evaluate next.
  ///
  /// If none is left, makes the changes the newest values.
  mutating func proceed(_ round: inout Round, with changes: [Change]) -> Progress {
    if let known = revision, known > round.revision { return .finished(Finished(released: endRound())) }
    if round.changes.isEmpty { round.changes = changes } else { round.changes += changes }
    for change in changes { enqueueDependents(of: change.id, in: &round) }
    if revision != round.revision {
      // Another round has changed these to values of an earlier commit.
      for last in recent.reversed().prefix(while: { $0.step > round.step }) { enqueue(last.id, in: &round) }
      round.step = step
    }
    while !round.queued.isEmpty {
      round.noteValues()
      let work = round.popLowest().compactMap { makeWork($0, in: round) }
      if !work.isEmpty { return .evaluate(work) }
    }
    return .finished(finish(&round))
  }

  private func enqueueDependents(of id: ID, in round: inout Round) {
    guard isHere(id), !slots[id.slot].dependents.isEmpty else { return }
    for index in 0..<slots[id.slot].dependents.count { enqueue(ID(slots[id.slot].dependents[index]), in: &round) }
  }

  private func enqueue(_ id: ID, in round: inout Round) {
    if isHere(id) { round.enqueue(id, rank: slots[id.slot].rank) }
  }

  private func makeWork(_ id: ID, in round: Round) -> Work? {
    guard let known = known(id) else { return nil }
    let ids = slots[id.slot].inputs
    let inputs = ids.compactMap { round.values[$0] ?? slots[$0.slot].value }
    // An input without a value came during the round, and so did this entry. Another round evaluates both.
    return inputs.count == ids.count ? Work(known: known, inputs: inputs) : nil
  }

  /// Whether an input has changed since an entry has.
  private func hasChangedInput(_ slot: Int) -> Bool {
    slots[slot].inputs.contains { slots[$0.slot].changedAt > slots[slot].changedAt }
  }

  private mutating func finish(_ round: inout Round) -> Finished {
    let isFirst = revision != round.revision
    var finished = Finished(isFirst: isFirst, since: readStep)
    revision = round.revision
    var isChanged = false
    for change in round.changes where isHere(change.id) {
      if slots[change.id.slot].changedAt != change.since { continue }
      // A later round of the same commit adds only values of new entries.
      if !isFirst, change.since > 0 { continue }
      // Another round has computed it from the same values, so it did not have to be computed again.
      if change.since > 0, slots[change.id.slot].rank > 0, !hasChangedInput(change.id.slot) { continue }
      if !isChanged {
        isChanged = true
        step += 1
      }
      if let former = replace(change.id, change.value) { finished.released.append(Released(value: former)) }
      if change.since > 0, slots[change.id.slot].isStreamed { makeDue(change.id) }
      addReadings(of: slots[change.id.slot].readers, change.value, to: &finished.readings)
    }
    forgetKnown()
    finished.step = step
    if !finished.readings.isEmpty { readStep = step }
    finished.released += endRound()
    return finished
  }
}

extension SharedSelectionsStateMachine.ID {
  fileprivate init(_ dependent: (key: Int, value: UInt64)) {
    self.init(slot: dependent.key, number: dependent.value)
  }
}

extension SharedSelectionsStateMachine.Work: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
extension SharedSelectionsStateMachine.Change: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
extension SharedSelectionsStateMachine.Round: Equatable, Hashable
where Selection: Hashable, Value: Hashable, Subscriber: Hashable, Reader: Hashable {}
