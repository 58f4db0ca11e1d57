import Synchronization

/// The wait graph of the process, the shell around `WaitGraphStateMachine` and `CycleSearch`.
///
/// Tasks consult it only when something nested in an action has to wait for another store. Its waits are spread over
/// many tables by the store of the waiting turn. The lock of a table and the lock of a store are each held for one step
/// and never together, so unrelated stores do not wait for each other here either.
///
/// The functions that waiting tasks call are not inlined (HP9).
enum WaitGraph {
  private typealias Table = WaitGraphStateMachine<TurnQueue, Revocation>
  private typealias Wait = ActorStore.Wait<Revocation>

  /// The way to end a wait early.
  private enum Revocation: Sendable {
    /// The call that waits for its turn returns `.deferred`.
    case turn(TicketNumber)
    case other(@Sendable () -> Void)
  }

  /// One of the tables and its lock.
  private final class Shard: Sendable {
    let table = Locked(Table())
  }

  private static let shards = (0..<64).map { _ in Shard() }
  private static let lastNumber = Atomic<UInt64>(0)

  /// The result of a call that is about to wait.
  enum Entry {
    /// There is no wait to record.
    ///
    /// The caller is not nested in another store's action, or the awaited event has already happened.
    case notAcross
    /// The wait is recorded, and the caller must end it.
    case across
    /// The wait would close a cycle.
    case cycle
  }

  // MARK: Adding waits

  /// Records that the current task waits for its turn, until the same task calls `removeWait(forTurn:of:)`.
  @inline(never)  // HP9
  static func addWait(forTurn ticket: TicketNumber, of queue: TurnQueue) -> Entry {
    let turns = turnsBesides(queue)
    if turns.isEmpty { return .notAcross }
    let place = WaitPlace(store: queue.id)
    let wait = Wait(ticket: ticket, revocation: .turn(ticket))
    return add(.turn(TurnID(store: queue.id, ticket: ticket)), wait, turns, place, queue) ? .across : .cycle
  }

  @inline(never)  // HP9
  static func removeWait(forTurn ticket: TicketNumber, of queue: TurnQueue) {
    queue.touchWaits()
    remove(.turn(TurnID(store: queue.id, ticket: ticket)), turnsBesides(queue), WaitPlace(store: queue.id))
  }

  /// Records that the current task awaits the outcome of a ticket, until `noted.end()`.
  ///
  /// - Parameters:
  ///   - overlapping: The turn that identifies the ticket's action if the action overlaps.
  ///   - revoke: Ends the wait early because another wait closes a cycle.
  @inline(never)  // HP9
  static func addWait(
    forOutcomeOf ticket: TicketNumber,
    of queue: TurnQueue,
    overlapping: TurnID,
    _ noted: NotedWait,
    revoke: @escaping @Sendable () -> Void
  ) -> Entry {
    let turns = turnsBesides(queue)
    if turns.isEmpty || !queue.isPending(ticket) { return .notAcross }
    let place = WaitPlace(store: queue.id, overlapping: overlapping)
    return add(noted, Wait(ticket: ticket, revocation: .other(revoke)), turns, place, queue) ? .across : .cycle
  }

  /// Records that the current task waits for a commit by any task, until `noted.end()`.
  ///
  /// - Parameter isForDrain: Whether the task waits for the end of all actions instead.
  @inline(never)  // HP9
  static func addWait(
    forCommitOf queue: TurnQueue,
    isForDrain: Bool,
    _ noted: NotedWait,
    revoke: @escaping @Sendable () -> Void
  ) -> Entry {
    if isForDrain ? queue.holdsUpDrain : queue.isNestedInHolder { return .cycle }
    let turns = turnsBesides(queue)
    if turns.isEmpty { return .notAcross }
    let wait = Wait(ticket: nil, revocation: .other(revoke))
    return add(noted, wait, turns, WaitPlace(store: queue.id, isForDrain: isForDrain), queue) ? .across : .cycle
  }

  /// Records that the current task waits for an element of a stream of commits, until the returned wait ends.
  ///
  /// A stream cannot refuse a wait. If the wait closes a cycle, other waits of the cycle give way where they can.
  @inline(never)  // HP9
  static func addWait(forElementOf queue: TurnQueue) -> NotedWait? {
    let turns = turnsBesides(queue)
    if turns.isEmpty || queue.isNestedInHolder { return nil }
    let noted = NotedWait()
    _ = add(noted, Wait(ticket: nil, revocation: nil), turns, WaitPlace(store: queue.id), queue)
    return noted
  }

  static func nextNumber() -> UInt64 {
    lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The turns of other stores that the current task is nested in, and the IDs of overlapping actions.
  ///
  /// Any such turn of the same store has ended. Otherwise, the call would already have been deferred (P7).
  private static func turnsBesides(_ queue: TurnQueue) -> [TurnID] {
    if CallChain.isEmptyHere { return [] }
    return CallChain.current.turns.filter { $0.store != queue.id }
  }

  private static func add(
    _ noted: NotedWait,
    _ wait: Wait,
    _ turns: [TurnID],
    _ place: WaitPlace,
    _ queue: TurnQueue
  ) -> Bool {
    noted.setEntries(turns, place)
    let isSound = add(noted.id, wait, turns, place, queue)
    // The wait may have ended before all of its entries were in the graph.
    if isSound, noted.isOver { remove(noted.id, turns, place) }
    return isSound
  }

  /// Adds a wait to the graph, or returns `false` and adds nothing if the wait would close a cycle.
  private static func add(
    _ id: WaitID,
    _ wait: Wait,
    _ turns: [TurnID],
    _ place: WaitPlace,
    _ queue: TurnQueue
  ) -> Bool {
    queue.touchWaits()
    for (index, turn) in turns.enumerated() {
      // The number is taken under the lock, so a search that finds this edge missing has a smaller number.
      let number = shard(of: turn).table.withLock { table in
        let number = nextNumber()
        table.add(id, wait, of: turn, to: place, queue, number: number)
        return number
      }
      if !isSound(id, wait, turn, place, queue, number) {
        remove(id, Array(turns[...index]), place)
        return false
      }
      shard(of: turn).table.withLock { $0.settle(id, of: turn, to: place) }
    }
    return true
  }

  /// Whether an edge closes no cycle, after other waits give way if necessary.
  private static func isSound(
    _ id: WaitID,
    _ wait: Wait,
    _ turn: TurnID,
    _ place: WaitPlace,
    _ queue: TurnQueue,
    _ number: UInt64
  ) -> Bool {
    // An edge with a settled wait closes no cycle, so only one of an action's many children searches.
    if waiting(turn, place)?.isSettled == true { return true }
    var standing: Set<CycleSearch<TurnQueue>.Edge> = []
    while let cycle = findCycle(CycleSearch(from: turn, to: place, queue, number: number, excluding: standing)) {
      if wait.revocation != nil { return false }
      if cycle.contains(where: { revoke($0.turn, $0.place) }) { continue }
      // Each edge of this cycle has a stream's wait, so the cycle remains until one of those waits ends. Other waits
      // must not remain in the cycle.
      for edge in cycle {
        shard(of: edge.turn).table.withLock { $0.leaveInCycle(edge.turn, edge.place) }
        revokeWhatCanGiveWay(edge.turn, edge.place)
      }
      shard(of: turn).table.withLock { $0.leaveInCycle(turn, place) }
      revokeWhatCanGiveWay(turn, place)
      guard let last = cycle.last else { return true }
      standing.insert(last)
    }
    return true
  }

  // MARK: Searching

  /// The edges of a cycle, except for the one that closes it, or `nil` if there is no cycle.
  private static func findCycle(_ search: CycleSearch<TurnQueue>) -> [CycleSearch<TurnQueue>.Edge]? {
    var search = search
    while true {
      switch search.question {
      case .holders(let queue, let place):
        queue.touch(isWrite: false)
        let holders = place.isForDrain ? queue.runningTurns : [queue.holder, place.overlapping]
        search.answer(holders: holders.filter { $0 != .none })
      case .lead(let turn, let index):
        search.answer(lead: lead(of: turn, before: index))
      case .isWaiting(let turn, let place):
        search.answer(waitingSince: waiting(turn, place)?.since)
      case .noCycle:
        return nil
      case .cycle(let edges):
        return edges
      }
    }
  }

  /// The last edge of a turn before an index, and the index of that edge.
  static func lead(of turn: TurnID, before index: Int) -> (lead: WaitLead<TurnQueue>, index: Int)? {
    shard(of: turn).table.withLock { $0.lead(of: turn, before: index) }
  }

  /// Whether a wait of an edge is pending.
  static func isWaiting(_ turn: TurnID, _ place: WaitPlace) -> Bool {
    waiting(turn, place) != nil
  }

  /// The `since` number of an edge, and whether one more wait in it closes no cycle.
  ///
  /// Returns `nil` if none of the edge's waits is pending.
  ///
  /// Along the way, removes waits that are over but whose tasks have yet to run.
  private static func waiting(_ turn: TurnID, _ place: WaitPlace) -> (since: UInt64, isSettled: Bool)? {
    while let sample = shard(of: turn).table.withLock({ $0.sample(of: turn, to: place) }) {
      guard let ticket = sample.ticket, !sample.queue.isPending(ticket) else { return (sample.since, sample.isSettled) }
      remove(sample.id, turn, place)
    }
    return nil
  }

  /// Makes all waits of an edge give way, or returns `false` and does nothing if one of them cannot.
  private static func revoke(_ turn: TurnID, _ place: WaitPlace) -> Bool {
    if !shard(of: turn).table.withLock({ $0.isRevocable(turn, place) }) { return false }
    revokeWhatCanGiveWay(turn, place)
    return true
  }

  private static func revokeWhatCanGiveWay(_ turn: TurnID, _ place: WaitPlace) {
    var index = Int.max
    while let next = shard(of: turn).table.withLock({ $0.wait(of: turn, to: place, before: index) }) {
      index = next.index
      switch next.wait.revocation {
      case .turn(let ticket):
        next.queue.revokeWait(for: ticket)
      case .other(let revoke):
        revoke()
        // The wait may already have been over, with its task about to remove it.
        remove(next.id, turn, place)
      case nil: break
      }
    }
  }

  // MARK: Removing waits

  static func remove(_ id: WaitID, _ turns: [TurnID], _ place: WaitPlace) {
    for turn in turns { remove(id, turn, place) }
  }

  private static func remove(_ id: WaitID, _ turn: TurnID, _ place: WaitPlace) {
    // The contents of the wait are released here, not under the lock.
    _ = shard(of: turn).table.withLock { $0.remove(id, of: turn, to: place) }
  }

  private static func shard(of turn: TurnID) -> Shard {
    shards[Int(truncatingIfNeeded: turn.store.number) & (shards.count - 1)]
  }

  /// The number of waits in the graph for tickets and commits of a queue.
  static func count(for queue: TurnQueue) -> Int {
    shards.reduce(0) { count, shard in count + shard.table.withLock { $0.count { $0 === queue } } }
  }
}
