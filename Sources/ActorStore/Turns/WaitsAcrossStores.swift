import Synchronization

/// The wait graph of the process: the shell around `WaitTable` and `CycleSearch`.
///
/// It is asked only where something nested in an action has to wait for another store. Its waits are spread over many
/// tables by the store of the waiting turn. The lock of a table and that of a store are held for one step each and never
/// together, so stores that have nothing to do with each other do not wait for each other here either.
///
/// What waiting tasks call is not inlined: it would make their frames three times as large, and they keep those.
enum WaitsAcrossStores {
  private typealias Table = WaitTable<TurnLine, Revocation>
  private typealias Wait = ActorStore.Wait<Revocation>

  /// How a wait is ended early.
  private enum Revocation: Sendable {
    /// The call that waits for its turn returns `.deferred`.
    case turn(TicketNumber)
    case other(@Sendable () -> Void)
  }

  /// One of the tables, and its lock.
  private final class Shard: Sendable {
    let table = Locked(Table())
  }

  private static let shards = (0..<64).map { _ in Shard() }
  private static let lastNumber = Atomic<UInt64>(0)

  /// The result of a call that is about to wait.
  enum Entry {
    /// There is nothing to note: the caller is nested in no other store's action, or what it waits for has happened.
    case notAcross
    /// The wait is noted, and is to be ended.
    case across
    /// The wait would close a cycle.
    case cycle
  }

  // MARK: Waits that begin

  /// Notes that the current task waits for its turn, until `endWait(forTurn:of:)` in the same task.
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

  /// Notes that the current task awaits the outcome of a ticket, until `noted.end()`.
  ///
  /// - Parameters:
  ///   - overlapping: The turn that the ticket's action is known by if it overlaps.
  ///   - revoke: Ends the wait early, because another wait closes a cycle.
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

  /// Notes that the current task waits for a commit, whoever makes it, until `noted.end()`.
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

  /// Notes that the current task waits for an element of a stream of commits, until the wait that it returns is ended.
  ///
  /// A stream has no way to refuse. If the wait closes a cycle, other waits of the cycle give way, as far as they can.
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
  /// A turn of the same store has ended, or the call would have been deferred already (P7).
  private static func turnsBesides(_ line: TurnLine) -> [TurnID] {
    if TurnChain.isEmptyHere { return [] }
    return TurnChain.current.turns.filter { $0.store != line.id }
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
    // It may have been fulfilled before all of it was there to be removed.
    if isSound, noted.isOver { end(noted.id, turns, place) }
    return isSound
  }

  /// Adds a wait to the graph; false, with nothing added, if it would close a cycle.
  private static func begin(
    _ id: WaitID,
    _ wait: Wait,
    _ turns: [TurnID],
    _ place: WaitPlace,
    _ line: TurnLine
  ) -> Bool {
    for (index, turn) in turns.enumerated() {
      // The number is taken under the lock: whoever finds this edge missing gets a smaller one.
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

  /// Whether an edge closes no cycle, after other waits have given way if it has to be.
  private static func isSound(
    _ id: WaitID,
    _ wait: Wait,
    _ turn: TurnID,
    _ place: WaitPlace,
    _ line: TurnLine,
    _ number: UInt64
  ) -> Bool {
    // An edge that a settled wait has made closes no cycle. So of many children of one action one searches.
    if waiting(turn, place)?.isSettled == true { return true }
    var standing: Set<CycleSearch<TurnLine>.Edge> = []
    while let cycle = findCycle(CycleSearch(from: turn, to: place, line, number: number, excluding: standing)) {
      if wait.revocation != nil { return false }
      if cycle.contains(where: { revoke($0.turn, $0.place) }) { continue }
      // Each of its edges has a stream, so it stands until one of those ends. Other waits must not stay in it.
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

  /// The edges of a cycle, without the one that closes it.
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

  /// Since when an edge has been there, if a wait of it still waits, and whether such a wait is settled.
  ///
  /// Waits that wait no more, because their task has yet to run, are removed on the way, each once.
  private static func waiting(_ turn: TurnID, _ place: WaitPlace) -> (since: UInt64, isSettled: Bool)? {
    while let sample = shard(of: turn).table.withLock({ $0.sample(of: turn, to: place) }) {
      guard let ticket = sample.ticket, !sample.line.isPending(ticket) else { return (sample.since, sample.isSettled) }
      remove(sample.id, turn, place)
    }
    return nil
  }

  /// Makes all waits of an edge give way; false, with nothing done, if one of them cannot.
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
        // It may have been over already, and its task about to remove it.
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
    // What it held goes here, not under the lock.
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
