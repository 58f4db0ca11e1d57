import ActorStoreTesting

@testable import ActorStore

/// A store's commits and the threads that join and leave its selections, modeled as one locked section at a time.
///
/// The value of a selection is a function of the revision, so a broken rule shows in the values.
struct VirtualSelections: VirtualThreads {
  typealias Machine = SharedSelectionsStateMachine<Int, Int, Int, Int>

  /// A deliberate mistake of a caller, which the rules must expose.
  enum Mistake: CaseIterable {
    /// Starts streams although the committing task is about to publish a later value.
    case startsStreamsOfDueValues
    /// Publishes to streams on a thread that only helps.
    case publishesWhileHelping
    /// Replaces a value that was not the one that a change was compared with.
    case replacesUncomparedValues
    /// Reads the revision before the locked section in which a stream joins.
    case joinsAtAnEarlierRevision
    /// Does not run another round for selections that came in during the last one.
    case forgetsNewSelections
  }

  enum Commit { case draft, edit, vetoedEdit }

  /// A round, with the changes to pass next.
  struct Run: Hashable {
    var round: Machine.Round
    var changes: [Machine.Change]
  }

  enum Committing: Hashable {
    case next
    case editing
    case answering([Int])
    case begin
    case run(Run)
    case update
    case end
    case publish([Machine.Due])
    case settle([Machine.Due])
    case done
  }

  enum Joining: Hashable {
    case join
    case joinAt(Int)
    case begin(revision: Int)
    case run(Run)
    case update
    case start
    case joined
    case done
  }

  /// A thread that joins a selection with a stream or a reader, and may leave.
  struct Joiner: Hashable {
    let selection: Int
    var isReader = false
    var leaves = false
    var step = Joining.join
    var id: Machine.ID?
    var place: Int?
    /// The first revision that the stream may see.
    var joinedAt = 0
    var isStarted = false
    var hasLeft = false
    var received: [Int] = []
    /// The value in the graph.
    var read: Int?
  }

  enum Move { case commit, joiner(Int) }

  /// The inputs of each selection.
  ///
  /// The last three form a diamond of three ranks.
  static let inputs: [[Int]] = [[], [], [0, 1], [2, 0], [3, 2, 1]]

  var machine = Machine()
  var commits: [Commit]
  var joiners: [Joiner]
  let mistake: Mistake?
  var committing = Committing.next
  var revision = 0
  var isReadable = true
  /// The streams that joined during an edit.
  var early: [Int] = []
  /// The step that the graph of all readers has.
  var graphStep: UInt64?
  var violation: String?

  init(_ joiners: [Joiner], _ commits: [Commit], _ mistake: Mistake? = nil) {
    (self.joiners, self.commits, self.mistake) = (joiners, commits, mistake)
  }

  /// The value of a selection at a revision.
  static func value(_ selection: Int, _ revision: Int) -> Int {
    switch selection {
    case 0: revision
    case 1: revision / 2
    default: combine(selection, inputs[selection].map { value($0, revision) })
    }
  }

  static func combine(_ selection: Int, _ values: [Int]) -> Int {
    selection == 2 ? values[0] / 2 + values[1] : selection == 3 ? values[0] + values[1] : values.reduce(0, +) % 3
  }

  var moves: [Move] {
    (committing == .done ? [] : [.commit])
      + joiners.indices.filter { joiners[$0].step != .done && canMove(joiners[$0]) }.map(Move.joiner)
  }

  /// A reader waits for the end of an edit.
  private func canMove(_ joiner: Joiner) -> Bool {
    if case .begin(-1) = joiner.step { isReadable } else { true }
  }

  var isFinished: Bool { committing == .done && joiners.allSatisfy { $0.step == .done } }

  mutating func take(_ move: Move) {
    switch move {
    case .commit: commit()
    case .joiner(let index): step(index)
    }
    check()
  }

  // MARK: The committing task

  mutating func commit() {
    switch committing {
    case .next:
      guard let next = commits.first else { return committing = .done }
      if next == .draft { return install() }
      isReadable = false
      committing = .editing
    case .editing:
      isReadable = true
      if commits[0] == .edit { return install() }
      commits.removeFirst()
      answer(next: .next)
    case .answering(var rest):
      subscribeAfterEdit(rest.removeFirst())
      committing = rest.isEmpty ? machine.isCommitting ? .begin : .next : .answering(rest)
    case .begin:
      committing = begin(at: revision).map(Committing.run) ?? .update
    case .run(var run):
      guard let finished = proceed(&run) else { return committing = .run(run) }
      committing = finished.readings.isEmpty && finished.isFirst ? .end : .update
    case .update:
      updateGraph()
      committing = .end
    case .end:
      let due = machine.endCommit()
      guard let due = mistake == .forgetsNewSelections ? due ?? [] : due else { return committing = .begin }
      committing = due.isEmpty ? .next : .publish(due)
    case .publish(let due):
      for due in due where due.isChanged { publish(due) }
      committing = .settle(due)
    case .settle(let due):
      for due in due { settle(due) }
      committing = .next
    case .done: violation = "a finished task took a step"
    }
  }

  mutating func install() {
    commits.removeFirst()
    revision += 1
    answer(next: machine.beginCommit() ? .begin : .next)
  }

  mutating func answer(next: Committing) {
    committing = early.isEmpty ? next : .answering(early)
    early = []
  }

  mutating func subscribeAfterEdit(_ index: Int) {
    guard let id = joiners[index].id else { return }
    joiners[index].joinedAt = min(joiners[index].joinedAt, revision)
    switch machine.subscribeAfterEdit(index, to: id, at: UInt64(revision)) {
    case .now(let value): start(index, value)
    case .wait: break
    case .evaluate:
      // The committing task does it without a pause, because it has the turn. Other threads may still interfere before
      // and after.
      if var run = begin(at: revision) { while proceed(&run) == nil {} }
      startPending(id)
    }
  }

  mutating func publish(_ due: Machine.Due) {
    for index in joiners.indices where joiners[index].id == due.known.id && joiners[index].isStarted {
      joiners[index].received.append(due.known.value ?? -1)
    }
  }

  mutating func settle(_ due: Machine.Due) {
    for index in machine.settle(due.known.id, at: UInt64(revision)) { start(index, due.known.value ?? -1) }
  }

  // MARK: Rounds

  mutating func begin(at revision: Int) -> Run? {
    guard var round = machine.begin(at: UInt64(revision)) else { return nil }
    let changes = round.takeLeaves().compactMap { Self.change($0, [], revision) }
    return Run(round: round, changes: changes)
  }

  static func change(_ known: Machine.Known, _ inputs: [Int], _ revision: Int) -> Machine.Change? {
    let isLeaf = Self.inputs[known.selection].isEmpty
    let new = isLeaf ? value(known.selection, revision) : combine(known.selection, inputs)
    return known.value == new ? nil : Machine.Change(known, new)
  }

  mutating func proceed(_ run: inout Run) -> Machine.Finished? {
    if mistake == .replacesUncomparedValues {
      run.changes = run.changes.compactMap { change in machine.known(change.id).map { Machine.Change($0, change.value) }
      }
    }
    switch machine.proceed(&run.round, with: run.changes) {
    case .finished(let finished): return finished
    case .evaluate(let work):
      let revision = Int(run.round.revision)
      run.changes = work.compactMap { Self.change($0.known, $0.inputs, revision) }
      return nil
    }
  }

  /// Gives the graph all newer values, in one step.
  mutating func updateGraph() {
    let readings = machine.readings(after: graphStep ?? 0)
    graphStep = machine.step
    for reading in readings { joiners[reading.reader].read = reading.value }
  }

  // MARK: Rules

  mutating func check() {
    for (slot, entry) in machine.slots.enumerated() {
      let known = machine.known(Machine.ID(slot: slot, number: entry.number))
      guard let known, let value = known.value, let revision = machine.revision else { continue }
      if value != Self.value(known.selection, Int(revision)) {
        violation = "selection \(known.selection) has \(value) at \(revision)"
      }
      if let leaf = entry.leaf, machine.leaves[leaf] != known { violation = "a leaf differs from its entry" }
    }
    let read = joiners.filter { $0.read != nil }
    if !(0...revision).contains(where: { revision in
      read.allSatisfy { $0.read == Self.value($0.selection, revision) }
    }) {
      violation = "a graph mixes two commits: \(read.map { ($0.selection, $0.read) })"
    }
    if Set(machine.due).count != machine.due.count { violation = "a selection is due twice" }
    if isFinished, violation == nil { checkEnd() }
  }

  mutating func checkEnd() {
    for (index, joiner) in joiners.enumerated() where !joiner.hasLeft {
      if joiner.isReader {
        if joiner.read != Self.value(joiner.selection, revision) { violation = "reader \(index) has an earlier value" }
      } else if !(min(joiner.joinedAt, revision)...revision).contains(where: {
        changes(of: joiner.selection, from: $0) == joiner.received
      }) {
        violation = "stream \(index) joined at \(joiner.joinedAt) and received \(joiner.received)"
      }
    }
    for index in joiners.indices where !joiners[index].hasLeft { leave(index) }
    var empty = Machine()
    (empty.revision, empty.step) = (machine.revision, machine.step)
    if !machine.isEqual(to: empty) { violation = "something remains: \(machine)" }
  }

  /// The values that a stream receives that starts at a revision.
  private func changes(of selection: Int, from first: Int) -> [Int] {
    (first...revision).map { Self.value(selection, $0) }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}

extension VirtualSelections.Machine {
  /// Whether nothing but the numbers of entries differs.
  fileprivate func isEqual(to empty: Self) -> Bool {
    isEmpty && slots.isEmpty && leaves.isEmpty && arrivals.isEmpty && unknown.isEmpty && due.isEmpty && readers.isEmpty
      && recent.isEmpty && !isCommitting && candidates(0).isEmpty && revision == empty.revision
  }
}
