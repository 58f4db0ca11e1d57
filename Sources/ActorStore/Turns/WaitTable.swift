/// The waits of some turns for other stores: the logic alone.
///
/// A turn waits for another store when something nested in its action does: the action itself, a child task, a `Task {}`.
/// All waits of one turn that lead to the same place form one *edge* of the wait graph. An action may have a hundred
/// thousand waiting children, so every method takes constant time (amortized), whatever the number of waits and edges.
///
/// `Line` stands for the queue of a store, `Revocation` for a way to end a wait early.
struct WaitTable<Line: Sendable, Revocation: Sendable>: Sendable {
  typealias Wait = ActorStore.Wait<Revocation>

  /// The waits of one turn that lead to one place.
  fileprivate struct Edge: Sendable {
    let line: Line
    /// The number of the wait since which the edge has been there without a break.
    let since: UInt64
    /// Waits that are known to close no cycle.
    var settled = KeyedArray<WaitID, Wait>()
    /// Waits whose search for a cycle has not ended.
    var unsettled = KeyedArray<WaitID, Wait>()
    /// How many of all these cannot be ended early.
    var irrevocableCount = 0
    /// Whether a cycle through this edge was left standing, because nothing in it could give way.
    var isInCycle = false

    /// The wait at an index, the settled ones first.
    subscript(index: Int) -> (key: WaitID, value: Wait) {
      index < settled.count ? settled[index] : unsettled[index - settled.count]
    }

    var count: Int { settled.count + unsettled.count }
  }

  /// One wait of an edge.
  struct Sample: Sendable {
    let id: WaitID
    let ticket: TicketNumber?
    let line: Line
    /// Whether one more wait of this edge closes no cycle.
    let isSettled: Bool
    /// Since when the edge has been there.
    let since: UInt64
  }

  private var edges: [TurnID: KeyedArray<WaitPlace, Edge>] = [:]

  var isEmpty: Bool { edges.isEmpty }

  /// The number of waits for such a queue.
  func count(where isMeant: (Line) -> Bool) -> Int {
    edges.values.reduce(0) { count, edges in
      edges.values.reduce(count) { isMeant($1.line) ? $0 + $1.count : $0 }
    }
  }

  // MARK: Changing

  /// Adds a wait of a turn, to be settled or removed.
  ///
  /// - Parameter number: Larger than the number of any wait that was added before.
  mutating func add(_ id: WaitID, _ wait: Wait, of turn: TurnID, to place: WaitPlace, _ line: Line, number: UInt64) {
    func add(to edge: inout Edge) {
      edge.unsettled[id] = wait
      if wait.revocation == nil { edge.irrevocableCount += 1 }
    }
    add(to: &edges[turn, default: KeyedArray()][place, default: Edge(line: line, since: number)])
  }

  /// The wait closes no cycle.
  mutating func settle(_ id: WaitID, of turn: TurnID, to place: WaitPlace) {
    change(turn, place) { edge in
      if let wait = edge.unsettled.remove(id) { edge.settled[id] = wait }
    }
  }

  /// A cycle through the edge is left standing: each wait that joins the edge closes it too.
  mutating func leaveInCycle(_ turn: TurnID, _ place: WaitPlace) {
    change(turn, place) { $0.isInCycle = true }
  }

  /// The wait has ended, or leads nowhere any more; returns what it held, to be released without a lock.
  ///
  /// Does nothing for a wait that was removed before.
  mutating func remove(_ id: WaitID, of turn: TurnID, to place: WaitPlace) -> (line: Line, wait: Wait)? {
    let removed: (Line, Wait, isLast: Bool)? =
      change(turn, place) { edge in
        guard let wait = edge.settled.remove(id) ?? edge.unsettled.remove(id) else { return nil }
        if wait.revocation == nil { edge.irrevocableCount -= 1 }
        return (edge.line, wait, edge.count == 0)
      } ?? nil
    guard let (line, wait, isLast) = removed else { return nil }
    if isLast {
      _ = edges[turn]?.remove(place)
      if edges[turn]?.isEmpty == true { edges[turn] = nil }
    }
    return (line, wait)
  }

  @discardableResult
  private mutating func change<Result>(_ turn: TurnID, _ place: WaitPlace, _ body: (inout Edge) -> Result) -> Result? {
    edges[turn]?.change(place, body)
  }

  // MARK: Searching

  /// The edge of a turn at an index, or at the last one below it.
  ///
  /// Asked again and again with the index it returned last, this visits every edge that was there from the start.
  func lead(of turn: TurnID, below index: Int) -> (lead: WaitLead<Line>, index: Int)? {
    guard let edges = edges[turn] else { return nil }
    let next = min(index, edges.count) - 1
    if next < 0 { return nil }
    let (place, edge) = edges[next]
    return (WaitLead(place: place, line: edge.line, since: edge.since), next)
  }

  /// A wait that makes up an edge now, the settled ones first; nil if the edge is gone.
  func sample(of turn: TurnID, to place: WaitPlace) -> Sample? {
    guard let edge = edges[turn]?[place] else { return nil }
    let (id, wait) = edge[0]
    return Sample(
      id: id, ticket: wait.ticket, line: edge.line, isSettled: !edge.settled.isEmpty && !edge.isInCycle,
      since: edge.since)
  }

  /// Whether all waits of an edge can be ended early, or it is gone.
  func isRevocable(_ turn: TurnID, _ place: WaitPlace) -> Bool {
    (edges[turn]?[place]?.irrevocableCount ?? 0) == 0
  }

  /// The wait of an edge at an index, or at the last one below it.
  func wait(
    of turn: TurnID, to place: WaitPlace, below index: Int
  ) -> (id: WaitID, wait: Wait, line: Line, index: Int)? {
    guard let edge = edges[turn]?[place] else { return nil }
    let next = min(index, edge.count) - 1
    return next < 0 ? nil : (edge[next].key, edge[next].value, edge.line, next)
  }
}

/// Where a wait leads: to whatever has the turn of a store.
///
/// The wait for an overlapping action leads to that action as well, which runs without a turn.
struct WaitPlace: Hashable, Sendable {
  let store: StoreID
  var overlapping: TurnID = .none
}

/// One wait of one store's action for another store.
enum WaitID: Hashable, Sendable {
  /// A call waits for its own turn: a ticket has one such wait.
  case turn(TurnID)
  /// A task awaits an outcome, a state, or an element of a stream.
  case other(UInt64)
}

/// What a wait is for.
struct Wait<Revocation: Sendable>: Sendable {
  /// The ticket that is waited for; nil if any commit will do.
  let ticket: TicketNumber?
  /// How another wait, which closes a cycle, can end this one; nil if it cannot.
  let revocation: Revocation?
}

/// What a search for a cycle follows: where an edge leads, and since when.
struct WaitLead<Line: Sendable>: Sendable {
  let place: WaitPlace
  let line: Line
  let since: UInt64
}

// Two states of the logic can be compared, so that a test can visit each once.
extension WaitTable.Edge: Equatable, Hashable where Line: Hashable, Revocation: Hashable {}
extension WaitTable: Equatable, Hashable where Line: Hashable, Revocation: Hashable {}
extension Wait: Equatable, Hashable where Revocation: Hashable {}
extension WaitLead: Equatable, Hashable where Line: Hashable {}
