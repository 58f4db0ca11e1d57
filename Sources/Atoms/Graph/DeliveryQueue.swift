import ActorStore

/// The changes that wait for delivery to watchers.
///
/// One thread at a time delivers. Changes by other threads wait in the open round, which is evaluated at the revision
/// that is the newest when the round begins. A change by the delivering thread itself, in a callback, closes a round at
/// its own revision, so no change of a single thread is skipped.
///
/// A thread delivers its own change and a few rounds of other threads. It also delivers the changes of its callbacks,
/// unless other threads use up its rounds. It then leaves the rest to the next thread or to a task.
struct DeliveryQueue<Value: Sendable>: Sendable {
  private(set) var isDelivering = false
  /// Whether the queue may contain something.
  ///
  /// If not, `isEmpty` does not look at the contents.
  private(set) var mayHaveContents = false
  private var open = Round()
  /// The contents that the current change has queued so far, while a thread delivers.
  ///
  /// If no thread delivers, a change is queued directly in the open round.
  private var fresh = Round()
  /// Changes of sources that a delivery has left, which come before those of the open round.
  private var waiting = Fifo<Change>()
  /// Whether another thread has made some of the changes that wait for the open round.
  private var othersWait = false
  private var closed = Fifo<Round>()
  /// The round that is being delivered, with its remaining changes in reverse order.
  private(set) var current = Round()
  private var begunChecks = 0
  private var begunJoins = 0
  /// The derived nodes that the next closed round must also check, because the current round has not settled them.
  private var unsettled: [NodeID] = []

  // MARK: The delivering thread

  /// The depth of the current round, or -1 before the first one.
  private var depth = -1
  private var hasReported = false
  /// Whether another thread has made a change that the next round delivers.
  private var isInterrupted = false
  /// Whether the round that is about to begin delivers such a change.
  private var nextIsOfOthers = false
  /// The revision of the last change by another thread.
  private var lastOtherChange: Revision = 0
  /// The number of rounds that the thread must take before it has delivered its own change.
  ///
  /// If it is greater than the number of closed rounds, the open round contains that change.
  private var dueRounds = 0
  /// The number of rounds with changes of other threads.
  private var roundsOfOthers = 0
  /// Whether a task is about to deliver what a thread has left.
  private var hasTask = false

  /// The number of rounds of other threads that a thread delivers, in addition to its first round.
  static var maxRoundsOfOthers: Int { 4 }
  /// The number of changes of sources in such a round.
  ///
  /// If more changes of other threads are waiting, a new change waits behind them, and its thread may return before the
  /// change is delivered.
  static var maxChangesOfOthers: Int { 64 }

  init() {}

  @inline(__always)  // HP19
  var isEmpty: Bool {
    assert(mayHaveContents || hasNoContents, "Atoms: a change would not be delivered. This is a bug in Atoms.")
    return !mayHaveContents || hasNoContents
  }

  @inline(__always)  // HP22
  private var hasNoContents: Bool { open.isEmpty && waiting.isEmpty && closed.isEmpty && fresh.isEmpty }

  /// Notes whether the queue is empty, and returns it.
  @inline(__always)  // HP24
  private mutating func checkIsEmpty() -> Bool {
    mayHaveContents = !isEmpty
    return !mayHaveContents
  }

  /// The numbers of changes and checks for which there is memory, for tests.
  var capacities: [Int] { [fresh, open, current].flatMap { [$0.changes.capacity, $0.checks.capacity] } }

  mutating func add(_ change: Change) { add { $0.changes.append(change) } }

  mutating func add(check node: NodeID) { add { $0.checks.append(node) } }

  mutating func add(_ join: Join) { add { $0.joins.append(join) } }

  @inline(__always)  // HP24
  private mutating func add(_ append: (inout Round) -> Void) {
    mayHaveContents = true
    if isDelivering { append(&fresh) } else { append(&open) }
  }

  /// Whether the current change has queued something while a thread delivers.
  var hasFresh: Bool { !fresh.isEmpty }

  /// The number of changes of sources that wait for the open round.
  private var changeCount: Int { waiting.count + open.changes.count }
  /// Whether so many of them wait that one round does not deliver all.
  private var isOverloaded: Bool { othersWait && changeCount > Self.maxChangesOfOthers }

  private mutating func takeChanges() -> [Change] {
    defer { open.changes = [] }
    return waiting.isEmpty ? open.changes : waiting.popAll() + open.changes
  }

  // MARK: Ends of changes

  /// Ends a change that another thread has made while this one delivers.
  mutating func endOtherChange(at revision: Revision) {
    lastOtherChange = revision
    if !fresh.isEmpty { (isInterrupted, othersWait) = (true, true) }
    endChange()
  }

  /// Ends a change that can share the open round with others.
  @inline(__always)  // HP24
  private mutating func endChange() { if !fresh.isEmpty { endFreshChange() } }

  @inline(never)  // HP24
  private mutating func endFreshChange() {
    fresh.depth = depth + 1
    if open.isEmpty {
      swap(&open, &fresh)
    } else {
      open.append(fresh)
      fresh = Round()
    }
  }

  /// Whether a change in a callback must not share a round.
  ///
  /// A node that waits for an earlier round may be dirty. Then a change does not reach it.
  ///
  /// - Parameter meetsDirty: Whether the change concerns a node that was dirty.
  func needsClosing(meetsDirty: Bool) -> Bool {
    meetsDirty || !fresh.needsNoRevision || !closed.isEmpty || begunChecks < current.checks.count
  }

  /// Closes a round for a change in a callback, at a revision that the caller has pinned.
  ///
  /// - Parameters:
  ///   - revision: The revision of the change.
  ///   - meetsDirty: Whether the change concerns a node that was dirty. Then the round also checks the nodes that other
  ///     threads have queued. A round that takes the thread's own change, or has joins, does so too.
  /// - Returns: The nodes that are no longer queued.
  mutating func close(at revision: Revision, meetsDirty: Bool) -> [NodeID] {
    fresh.depth = depth + 1
    var round = fresh
    fresh = Round()
    // The thread's own change must not wait behind rounds that later changes close.
    let takesOwnChange = dueRounds > closed.count
    // A new watcher must not get its first value before a check that would repeat it.
    if takesOwnChange || meetsDirty || !round.joins.isEmpty {
      (round.checks, round.joins) = (open.checks + round.checks, open.joins + round.joins)
      (open.checks, open.joins) = ([], [])
    }
    if changeCount == 0 {
      // The round has only its own changes.
    } else if takesOwnChange || !isOverloaded {
      round.changes = takeChanges() + round.changes
      othersWait = false
    } else {
      // These are too many for one round, and callbacks of different atoms have no order.
      open.changes += round.changes
      round.changes = []
    }
    round.revision = revision
    closed.append(round)
    open.resetDepthIfEmpty()
    // The round must be taken even if it is empty, because it checks unsettled nodes.
    mayHaveContents = true
    return round.checks
  }

  // MARK: Delivering

  /// Returns whether the caller becomes the delivering thread.
  ///
  /// - Parameter hasMore: Whether there is something to deliver that is not in the queue.
  mutating func begin(_ hasMore: Bool = false) -> Bool {
    if isDelivering || checkIsEmpty() && !hasMore { return false }
    isDelivering = true
    depth = -1
    hasReported = false
    isInterrupted = false
    roundsOfOthers = 0
    // Only `waiting` counts as left by others. The open round contains this thread's own change.
    let isLate = othersWait && waiting.count > Self.maxChangesOfOthers
    dueRounds = isLate ? 0 : closed.count + 1
    return true
  }

  /// Notes that a later round must check a node that the current round has not settled, and returns whether a closed
  /// round will do so.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - revision: The revision of the current round.
  mutating func checkAgain(_ node: NodeID, after revision: Revision) -> Bool {
    if lastOtherChange > revision { isInterrupted = true }
    if closed.isEmpty { return false }
    unsettled.append(node)
    return true
  }

  /// Notes that a part of the current round is left to the next one.
  mutating func postpone() { isInterrupted = true }

  /// Notes that another thread has made a change that this delivery contains.
  ///
  /// The thread's own change began the first round.
  mutating func interrupt() {
    if depth > 0 { isInterrupted = true }
  }

  /// Counts a round that contains only changes that are not in the queue.
  ///
  /// - Parameter isCausedHere: Whether only the delivering thread has made these changes, or `nil` if they follow from
  ///   earlier ones.
  mutating func countRound(isCausedHere: Bool?) {
    switch isCausedHere {
    case true?: depth = max(depth, 0) + 1
    case false?:
      // The first round is the thread's own change.
      if depth >= 0 { isInterrupted = true }
      depth = 0
    case nil: break
    }
  }

  /// Whether the thread has delivered its own change and enough of the changes of others.
  ///
  /// The caller asks before each round.
  mutating func isDone() -> Bool {
    endChange()
    nextIsOfOthers = isInterrupted
    if isInterrupted {
      isInterrupted = false
      hasReported = false
      roundsOfOthers += 1
    }
    return dueRounds <= 0 && roundsOfOthers > Self.maxRoundsOfOthers
  }

  /// Makes the next round the current one, or returns `false` if there is none.
  mutating func beginRound() -> Bool {
    dueRounds -= 1
    if checkIsEmpty() { return false }
    if !closed.isEmpty, let next = closed.popFirst() { current = next } else { takeOpen() }
    if !unsettled.isEmpty {
      let known = Set(current.checks)
      current.checks += unsettled.filter { !known.contains($0) }
      unsettled = []
    }
    if current.changes.count > 1 { current.changes.reverse() }
    depth = nextIsOfOthers ? 0 : current.depth
    return true
  }

  /// Makes the open round the current one.
  ///
  /// No closed round is left. If the thread has delivered its own change and too many changes wait, the round gets only
  /// some of them.
  private mutating func takeOpen() {
    let takesAll = dueRounds >= 0 || !isOverloaded
    if !waiting.isEmpty || !takesAll { leaveOpenChanges() }
    // The former current round is empty, and the next change reuses its memory.
    swap(&current, &open)
    if waiting.isEmpty {
      othersWait = false
      mayHaveContents = false
      return
    }
    while takesAll || current.changes.count < Self.maxChangesOfOthers, let change = waiting.popFirst() {
      current.changes.append(change)
    }
    // The rest is also of others.
    if waiting.isEmpty { othersWait = false } else { isInterrupted = true }
  }

  /// Makes the changes of sources in the open round wait behind those that a delivery has left.
  private mutating func leaveOpenChanges() {
    for change in open.changes { waiting.append(change) }
    open.changes = []
  }

  /// Takes the next change of a source from the current round.
  @inline(__always)  // HP19
  mutating func nextChange() -> Change? { current.changes.popLast() }

  /// The next derived node of the current round to check.
  @inline(__always)  // HP19
  mutating func nextCheck() -> NodeID? {
    if begunChecks == current.checks.count { return nil }
    defer { begunChecks += 1 }
    return current.checks[begunChecks]
  }

  /// The next watcher of the current round to start with the value of a derived node.
  @inline(__always)  // HP19
  mutating func nextJoin() -> Join? {
    if begunJoins == current.joins.count { return nil }
    defer { begunJoins += 1 }
    return current.joins[begunJoins]
  }

  /// Forgets the current round, all of whose changes have been taken.
  mutating func endRound() {
    (begunChecks, begunJoins) = (0, 0)
    current.clear()
  }

  /// Returns whether to report that each round of a long series was caused by the one before, once for each series.
  mutating func reportsEndlessSeries() -> Bool {
    if depth < Self.maxDepth || hasReported { return false }
    hasReported = true
    return true
  }

  private static var maxDepth: Int { 1_000 }

  /// Ends the delivery.
  ///
  /// - Parameter hasMore: Whether there is something to deliver that is not in the queue.
  /// - Returns: Whether the caller must start a task to deliver the rest.
  mutating func end(_ hasMore: Bool = false) -> Bool {
    isDelivering = false
    if checkIsEmpty() && !hasMore { return false }
    othersWait = true
    // Later changes are queued in the open round, and `begin` counts only the changes in `waiting` as left by others.
    leaveOpenChanges()
    if hasTask { return false }
    hasTask = true
    return true
  }

  /// Notes that the task that delivers the rest has begun.
  mutating func beginTask() { hasTask = false }

  // MARK: Nodes

  /// Forgets a node, and returns its values, which the caller releases without the lock.
  mutating func remove(_ node: NodeID) -> [Value] {
    var removed = open.remove(node) + fresh.remove(node)
    waiting.removeAll { change in
      if change.node != node { return false }
      removed.append(change.value)
      return true
    }
    for offset in 0..<closed.count { removed += closed[offset].remove(node) }
    unsettled.removeAll { $0 == node }
    open.resetDepthIfEmpty()
    return removed
  }
}

extension DeliveryQueue: Equatable, Hashable where Value: Hashable {}
