import Synchronization

/// The wait graph of the process, which is the shell around `WaitTable` and `CycleSearch`.
///
/// Tasks consult it only when something nested in an action has to wait for another store. Its waits are spread over
/// many tables by the store of the waiting turn. The lock of a table and the lock of a store are each held for one step
/// and never together, so unrelated stores do not wait for each other here either.
///
/// The functions that waiting tasks call are not inlined. Inlining would triple the size of the tasks' frames, which
/// tasks keep while they wait.
enum WaitsAcrossStores {
  private typealias Table = WaitTable<TurnLine, Revocation>
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

  // MARK: Waits that begin

  /// Records that the current task waits for its turn, until the same task calls `endWait(forTurn:of:)`.
  @inline(never)
  static func beginWait(forTurn ticket: TicketNumber, of line: TurnLine) -> Entry {
    let turns = turnsBesides(line)
    if turns.isEmpty { return .notAcross }
    let place = WaitPlace(store: line.id)
    let wait = Wait(ticket: ticket, revocation: .turn(ticket))
    return begin(.turn(TurnID(store: line.id, ticket: ticket)), wait, turns, place, line) ? .across : .cycle
  }

  @inline(never)
  static func endWait(forTurn ticket: TicketNumber, of line: TurnLine) {
    end(.turn(TurnID(store: line.id, ticket: ticket)), turnsBesides(line), WaitPlace(store: line.id))
  }

  /// Records that the current task awaits the outcome of a ticket, until `noted.end()`.
  ///
  /// - Parameters:
  ///   - overlapping: The turn that identifies the ticket's action if the action overlaps.
  ///   - revoke: Ends the wait early because another wait closes a cycle.
  @inline(never)
  static func beginWait(
    forOutcomeOf ticket: TicketNumber,
    of line: TurnLine,
    overlapping: TurnID,
    _ noted: NotedWait,
    revoke: @escaping @Sendable () -> Void
  ) -> Entry {
    let turns = turnsBesides(line)
    if turns.isEmpty || !line.isPending(ticket) { return .notAcross }
    let place = WaitPlace(store: line.id, overlapping: overlapping)
    return begin(noted, Wait(ticket: ticket, revocation: .other(revoke)), turns, place, line) ? .across : .cycle
  }

  /// Records that the current task waits for a commit by any task, until `noted.end()`.
  @inline(never)
  static func beginWait(
    forCommitOf line: TurnLine,
    _ noted: NotedWait,
    revoke: @escaping @Sendable () -> Void
  ) -> Entry {
    if line.isNestedInHolder { return .cycle }
    let turns = turnsBesides(line)
    if turns.isEmpty { return .notAcross }
    let wait = Wait(ticket: nil, revocation: .other(revoke))
    return begin(noted, wait, turns, WaitPlace(store: line.id), line) ? .across : .cycle
  }

  /// Records that the current task waits for an element of a stream of commits, until the returned wait ends.
  ///
  /// A stream has no way to refuse. If the wait closes a cycle, other waits of the cycle give way where they can.
  @inline(never)
  static func beginWait(forElementOf line: TurnLine) -> NotedWait? {
    let turns = turnsBesides(line)
    if turns.isEmpty || line.isNestedInHolder { return nil }
    let noted = NotedWait()
    _ = begin(noted, Wait(ticket: nil, revocation: nil), turns, WaitPlace(store: line.id), line)
    return noted
  }

  static func nextNumber() -> UInt64 {
    lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The turns of other stores that the current task is nested in.
  ///
  /// Any such turn of the same store has ended. Otherwise, the call would already have been deferred (P7).
  private static func turnsBesides(_ line: TurnLine) -> [TurnID] {
    if CallChain.isEmptyHere { return [] }
    return CallChain.current.turns.filter { $0.store != line.id }
  }

  private static func begin(
    _ noted: NotedWait,
    _ wait: Wait,
    _ turns: [TurnID],
    _ place: WaitPlace,
    _ line: TurnLine
  ) -> Bool {
    noted.begin(turns, place)
    let isSound = begin(noted.id, wait, turns, place, line)
    // The wait may have been fulfilled before all of it was in the graph to be removed.
    if isSound, noted.isOver { end(noted.id, turns, place) }
    return isSound
  }

  /// Adds a wait to the graph, or returns `false` and adds nothing if the wait would close a cycle.
  private static func begin(
    _ id: WaitID,
    _ wait: Wait,
    _ turns: [TurnID],
    _ place: WaitPlace,
    _ line: TurnLine
  ) -> Bool {
    for (index, turn) in turns.enumerated() {
      // The number is taken under the lock, so a search that finds this edge missing has a smaller number.
      let number = shard(of: turn).table.withLock { table in
        let number = nextNumber()
        table.add(id, wait, of: turn, to: place, line, number: number)
        return number
      }
      if !isSound(id, wait, turn, place, line, number) {
        end(id, Array(turns[...index]), place)
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
    _ line: TurnLine,
    _ number: UInt64
  ) -> Bool {
    // An edge with a settled wait closes no cycle, so only one of an action's many children searches.
    if waiting(turn, place)?.isSettled == true { return true }
    var standing: Set<CycleSearch<TurnLine>.Edge> = []
    while let cycle = findCycle(CycleSearch(from: turn, to: place, line, number: number, excluding: standing)) {
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

  /// The edges of a cycle, except for the one that closes it.
  private static func findCycle(_ search: CycleSearch<TurnLine>) -> [CycleSearch<TurnLine>.Edge]? {
    var search = search
    while true {
      switch search.question {
      case .holders(let line, let place):
        search.answer(holders: [line.holder, place.overlapping].filter { $0 != .none })
      case .lead(let turn, let index):
        search.answer(lead: shard(of: turn).table.withLock { $0.lead(of: turn, below: index) })
      case .isWaiting(let turn, let place):
        search.answer(waitingSince: waiting(turn, place)?.since)
      case .noCycle:
        return nil
      case .cycle(let edges):
        return edges
      }
    }
  }

  /// The `since` number of an edge and whether one of its waits is settled, or `nil` if none of its waits still waits.
  ///
  /// Along the way, removes waits that are over but whose tasks have yet to run, each once.
  private static func waiting(_ turn: TurnID, _ place: WaitPlace) -> (since: UInt64, isSettled: Bool)? {
    while let sample = shard(of: turn).table.withLock({ $0.sample(of: turn, to: place) }) {
      guard let ticket = sample.ticket, !sample.line.isPending(ticket) else { return (sample.since, sample.isSettled) }
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
    while let next = shard(of: turn).table.withLock({ $0.wait(of: turn, to: place, below: index) }) {
      index = next.index
      switch next.wait.revocation {
      case .turn(let ticket):
        next.line.revokeWait(for: ticket)
      case .other(let revoke):
        revoke()
        // The wait may already have been over, with its task about to remove it.
        remove(next.id, turn, place)
      case nil: break
      }
    }
  }

  // MARK: Waits that end

  static func end(_ id: WaitID, _ turns: [TurnID], _ place: WaitPlace) {
    for turn in turns { remove(id, turn, place) }
  }

  private static func remove(_ id: WaitID, _ turn: TurnID, _ place: WaitPlace) {
    // The contents of the wait are released here, not under the lock.
    _ = shard(of: turn).table.withLock { $0.remove(id, of: turn, to: place) }
  }

  private static func shard(of turn: TurnID) -> Shard {
    shards[Int(truncatingIfNeeded: turn.store.number) & (shards.count - 1)]
  }

  /// The number of waits in the graph for tickets and commits of `line`.
  static func count(for line: TurnLine) -> Int {
    shards.reduce(0) { count, shard in count + shard.table.withLock { $0.count { $0 === line } } }
  }
}
