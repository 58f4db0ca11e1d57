/// The logic of a history: its entries, the position among them, and the moves.
struct HistoryStateMachine: Sendable {
  /// A move in time.
  enum Move: Hashable {
    case undo
    case redo
    case jump(UInt64)
    case rollback(UInt64)

    /// Whether the move drops the entries after its target.
    var dropsLater: Bool { if case .rollback = self { true } else { false } }
  }

  /// Why a move is impossible.
  enum Refusal: Error, Equatable {
    case nothingToUndo
    case nothingToRedo
    case irreversible(revision: UInt64)
    case missing(HistoryError)
  }

  /// The relation of a commit to the steps of the history.
  enum Part {
    /// It begins a step.
    case ofItsOwn
    /// It belongs to the step of the entry before it.
    case ofTheLastStep
    /// It does not change what an undo restores.
    case ofNoStep
  }

  private(set) var entries = EntryList<HistoryRecord>()
  /// The index of the entry with the current state.
  private(set) var position = 0
  /// The newest revision: the number of commits, including moves, or a larger number after a restoration.
  private(set) var revision: UInt64 = 0
  /// The difference between `revision` and the number of the store's commits.
  private var offset: UInt64 = 0
  /// The number of the store's commits up to and including the last restoration.
  private var restoredAt: UInt64 = 0
  /// The cost of all entries, in a wider type than a single cost, so that additions cannot overflow.
  private var totalCost: Int128 = 0
  /// The ID of the `step` in which the last entry was recorded.
  private var lastStepID: UInt64?
  /// Whether no step has begun since the last move.
  private var hasMoved = false
  /// Whether no commit has followed the last move.
  ///
  /// A move can restore only a part of an entry's state. Then the next action does not start from the state of the
  /// entry.
  private(set) var startsElsewhere = false
  /// The number of entries that cannot be undone.
  private var barrierCount = 0
  /// Whether the revisions of all entries are in ascending order.
  private var areAscending = true
  private let maxCount: Int
  private let maxCost: Int

  init(maxCount: Int, maxCost: Int) { (self.maxCount, self.maxCost) = (maxCount, maxCost) }

  var current: HistoryRecord? { entries.isEmpty ? nil : entries[position] }

  // MARK: Recording

  /// Records the state before the first commit.
  mutating func begin(_ entry: HistoryRecord) {
    entries.append(entry)
    totalCost = Int128(entry.cost)
  }

  /// Whether a commit in the `step` with an ID continues the step of the last entry.
  func continues(_ stepID: UInt64?) -> Bool {
    stepID != nil && stepID == lastStepID && position == entries.count - 1 && isAfterTheOldestStep
  }

  /// Whether a similar commit can join the step of the current entry.
  ///
  /// It cannot join the oldest entry, because the step could not be undone. After a move, a new step begins.
  var canJoin: Bool { !hasMoved && !entries.isEmpty && isAfterTheOldestStep }

  private var isAfterTheOldestStep: Bool { entries[position].step > entries[0].step }

  /// Records a commit, and returns the entries that it drops.
  ///
  /// - Parameter record: The commit, to which the call gives its revision and its step.
  mutating func record(_ part: Part, stepID: UInt64?, _ record: HistoryRecord) -> DroppedRecords {
    revision += 1
    // A commit of no step begins no step. It ends the current step only if it was made outside that step.
    if part != .ofNoStep {
      (lastStepID, hasMoved) = (stepID, false)
    } else if stepID != lastStepID {
      lastStepID = nil
    }
    var (new, dropped) = (record, DroppedRecords())
    new.revision = revision
    new.step = entries[position].step + (part == .ofItsOwn ? 1 : 0)
    startsElsewhere = false
    totalCost += Int128(new.cost)
    if new.isIrreversible { barrierCount += 1 }
    position += 1
    if part == .ofNoStep {
      // The undone entries can still be redone.
      entries.insert(new, at: position)
      if position + 1 < entries.count {
        areAscending = false
        let former = entries[position - 1].content
        entries.update(position + 1) { $0.start = $0.start ?? former }
      }
    } else {
      remove(from: position, into: &dropped)
      entries.append(new)
    }
    applyLimits(&dropped)
    return dropped
  }

  /// Drops the oldest entries, or undone ones if there is no older entry.
  private mutating func applyLimits(_ dropped: inout DroppedRecords) {
    while entries.count > 1, entries.count > maxCount || totalCost > Int128(maxCost) {
      // Without the first entry, the current step could not be undone.
      let needsFirst = position > 0 && entries[0].step < entries[1].step && entries[1].step == entries[position].step
      if position == 0 || needsFirst && position == 1 && entries.count > 2 {
        remove(from: entries.count - 1, into: &dropped)
      } else {
        let old = needsFirst && position > 1 ? dropSecond() : entries.removeFirst()
        position -= 1
        forget(old, &dropped)
      }
    }
  }

  /// Removes and returns the entry after the first one, which is within the current step.
  private mutating func dropSecond() -> HistoryRecord {
    let second = entries.removeSecond()
    if second.isIrreversible { setIrreversible(at: 1) }
    entries.update(1) { $0.start = $0.start ?? second.content }
    return second
  }

  private mutating func forget(_ record: HistoryRecord, _ dropped: inout DroppedRecords) {
    totalCost -= Int128(record.cost)
    if record.isIrreversible { barrierCount -= 1 }
    dropped.append(record)
  }

  private mutating func remove(from index: Int, into dropped: inout DroppedRecords) {
    if index == entries.count { return }
    for removed in entries.removeEntries(from: index) { forget(removed, &dropped) }
  }

  /// Sets how long the action of a commit of the store ran.
  mutating func setDuration(_ duration: Duration, ofCommit commit: UInt64) {
    if let index = index(ofCommit: commit) { entries.update(index) { $0.duration = duration } }
  }

  mutating func setIrreversible(commit: UInt64) {
    if let index = index(ofCommit: commit) { setIrreversible(at: index) }
  }

  private mutating func setIrreversible(at index: Int) {
    if entries[index].isIrreversible { return }
    entries.update(index) { $0.isIrreversible = true }
    barrierCount += 1
  }

  /// The index of the entry of a commit of the store.
  private func index(ofCommit commit: UInt64) -> Int? { commit > restoredAt ? index(of: commit + offset) : nil }

  // MARK: Moving

  /// The entry to which a move leads.
  func target(of move: Move) -> Result<HistoryRecord, Refusal> {
    do throws(Refusal) {
      return .success(entries[try index(after: move)])
    } catch {
      return .failure(error)
    }
  }

  private func index(after move: Move) throws(Refusal) -> Int {
    switch move {
    case .undo:
      if entries.isEmpty { throw .nothingToUndo }
      let step = entries[position].step
      // The steps ascend.
      let first = entries.firstIndex { $0.step >= step }
      if first == 0 { throw .nothingToUndo }
      return try passable(first - 1)
    case .redo:
      guard position + 1 < entries.count else { throw .nothingToRedo }
      let step = entries[position + 1].step
      return entries.firstIndex { $0.step > step } - 1
    case .jump(let revision), .rollback(let revision):
      guard let index = index(of: revision) else { throw .missing(error(for: revision)) }
      return try passable(index)
    }
  }

  /// Returns an index, unless the way back to it passes a commit that cannot be undone.
  private func passable(_ index: Int) throws(Refusal) -> Int {
    if barrierCount > 0, index < position,
      let barrier = (index + 1...position).last(where: { entries[$0].isIrreversible })
    {
      throw .irreversible(revision: entries[barrier].revision)
    }
    return index
  }

  /// Moves to the entry with a revision, and returns the entries that a rollback drops, or `nil` if there is no such
  /// entry anymore.
  mutating func move(to target: UInt64, dropsLater: Bool) -> DroppedRecords? {
    guard let index = index(of: target) else { return nil }
    revision += 1
    position = index
    (lastStepID, hasMoved, startsElsewhere) = (nil, true, true)
    var dropped = DroppedRecords()
    if dropsLater { remove(from: index + 1, into: &dropped) }
    return dropped
  }

  /// Replaces all entries, and returns the entries that the history no longer has.
  mutating func restore(_ records: [HistoryRecord], position newPosition: Int) -> DroppedRecords {
    restoredAt = revision - offset + 1
    revision = records.reduce(revision) { max($0, $1.revision) } + 1
    offset = revision - restoredAt
    // A history can get its own entries back.
    let kept = Set(records.map { ObjectIdentifier($0.content) })
    var dropped = DroppedRecords()
    for old in entries.removeEntries(from: 0) where !kept.contains(ObjectIdentifier(old.content)) {
      dropped.append(old)
    }
    for record in records { entries.append(record) }
    totalCost = records.reduce(0) { $0 + Int128($1.cost) }
    barrierCount = records.count { $0.isIrreversible }
    areAscending = zip(records, records.dropFirst()).allSatisfy { $0.revision < $1.revision }
    position = newPosition
    (lastStepID, hasMoved, startsElsewhere) = (nil, true, true)
    applyLimits(&dropped)
    return dropped
  }

  /// The index of the entry with a revision, or `nil` if there is none, as after each move.
  ///
  /// The search takes O(log entries). A commit of no step can precede undone entries with smaller revisions. Then the
  /// revisions no longer ascend, and the search takes O(entries), except for the current entry.
  private func index(of revision: UInt64) -> Int? {
    if entries.isEmpty { return nil }
    // Most often, it is the current entry.
    if entries[position].revision == revision { return position }
    let index = entries.firstIndex { $0.revision >= revision }
    if index < entries.count, entries[index].revision == revision { return index }
    return areAscending ? nil : (0..<entries.count).first { entries[$0].revision == revision }
  }

  func entry(of revision: UInt64) -> Result<HistoryRecord, HistoryError> {
    guard let index = index(of: revision) else { return .failure(error(for: revision)) }
    return .success(entries[index])
  }

  /// The error for a revision without an entry.
  private func error(for revision: UInt64) -> HistoryError {
    entries.isEmpty || revision > self.revision ? .unknown(revision) : .dropped(revision)
  }

  private func isPossible(_ move: Move) -> Bool { (try? index(after: move)) != nil }

  var status: HistoryStatus {
    HistoryStatus(
      canUndo: isPossible(.undo), canRedo: isPossible(.redo), count: entries.count, position: position,
      revision: current?.revision ?? revision)
  }
}
