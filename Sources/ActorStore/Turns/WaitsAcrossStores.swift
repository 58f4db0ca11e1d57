import Synchronization

/// The one wait graph of the process: the shell around `WaitGraph`.
///
/// Its lock is taken only where something below an action has to wait for another store, and never while a store's own
/// lock is held: under it the locks of stores are, one at a time.
enum WaitsAcrossStores {
  private struct Target: Sendable {
    let line: TurnLine
    /// Nil when any commit will do.
    let ticket: TicketNumber?

    var blockers: [TurnID] { ticket.map(line.blockers) ?? line.blockersOfCommits }
  }

  private static let graph = Locked(WaitGraph<Target>())
  private static let lastWait = Atomic<UInt64>(0)

  /// What became of a wait that was to be noted.
  enum Entry {
    /// Nothing is waited across: the caller is below no other store's action.
    case notAcross
    /// It is noted, and to be ended.
    case across(WaitID)
    /// It would wait for itself.
    case circle
  }

  /// Notes that what is below the current action waits for its turn.
  static func begin(forTurn ticket: TicketNumber, of line: TurnLine) -> Entry {
    begin(for: ticket, of: line) { .turn(TurnID(store: line.id, ticket: ticket)) }
  }

  /// Notes that what is below the current action awaits the outcome of a ticket.
  static func begin(forOutcomeOf ticket: TicketNumber, of line: TurnLine) -> Entry {
    begin(for: ticket, of: line) { .outcome(nextNumber()) }
  }

  /// Notes that what is below the current action waits for a commit, whoever makes it.
  static func begin(forCommitOf line: TurnLine) -> Entry {
    if line.isBelowHolder { return .circle }
    return begin(for: nil, of: line) { .commit(nextNumber()) }
  }

  private static func nextNumber() -> UInt64 {
    lastWait.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static func begin(for ticket: TicketNumber?, of line: TurnLine, makeID: () -> WaitID) -> Entry {
    let chain = TurnChain.current
    if chain.isEmpty { return .notAcross }
    // A turn of the same store has ended, or the call would have been deferred already (P7).
    let turns = chain.turns.filter { $0.store != line.id }
    if turns.isEmpty { return .notAcross }
    let target = Target(line: line, ticket: ticket)
    let id = makeID()
    let begins = graph.withLock { graph in
      graph.begin(id, below: turns, for: target) { $0.blockers }
    }
    return begins ? .across(id) : .circle
  }

  /// How many waits are noted for tickets of `line`.
  static func count(for line: TurnLine) -> Int {
    graph.withLock { $0.count { $0.line === line } }
  }

  static func end(_ wait: WaitID) {
    // What it was for goes here, not under the lock.
    _ = graph.withLock { $0.end(wait) }
  }
}
