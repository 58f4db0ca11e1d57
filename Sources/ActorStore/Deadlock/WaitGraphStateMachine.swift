/// The waits of some turns for other stores, as pure logic.
///
/// A turn waits for another store when something nested in its action does. That can be the action itself, a child
/// task, or a `Task {}`. All waits of one turn that lead to the same place form one *edge* of the wait graph. An action
/// may have a hundred thousand waiting children, so every method but `count` takes constant time (amortized),
/// regardless of the number of waits and edges.
///
/// `Queue` represents the queue of a store, and `Revocation` represents a way to end a wait early.
struct WaitGraphStateMachine<Queue: Sendable, Revocation: Sendable>: Sendable {
  typealias Wait = ActorStore.Wait<Revocation>

  /// The waits of one turn that lead to one place.
  fileprivate struct Edge: Sendable {
    let queue: Queue
    /// The number of the wait that created the edge, which has existed without interruption since then.
    let since: UInt64
    /// Waits that are known not to close a cycle.
    var settled = KeyedArray<WaitID, Wait>()
    /// Waits whose search for a cycle is not finished.
    var unsettled = KeyedArray<WaitID, Wait>()
    /// The number of settled and unsettled waits that cannot end early.
    var irrevocableCount = 0
    /// Whether a cycle through this edge remains, because each of its edges has a wait that cannot give way.
    var isInCycle = false

    /// The wait at an index, counting settled waits first.
    subscript(index: Int) -> (key: WaitID, value: Wait) {
      index < settled.count ? settled[index] : unsettled[index - settled.count]
    }

    var count: Int { settled.count + unsettled.count }
  }

  /// One wait of an edge.
  struct Sample: Sendable {
    let id: WaitID
    let ticket: TicketNumber?
    let queue: Queue
    /// Whether one more wait in this edge closes no cycle.
    let isSettled: Bool
    /// The number of the wait that created the edge.
    let since: UInt64
  }

  private var edges: [TurnID: KeyedArray<WaitPlace, Edge>] = [:]

  var isEmpty: Bool { edges.isEmpty }

  /// The number of waits whose queue satisfies a predicate.
  func count(where isMeant: (Queue) -> Bool) -> Int {
    edges.values.reduce(0) { count, edges in
      edges.values.reduce(count) { isMeant($1.queue) ? $0 + $1.count : $0 }
    }
  }

  // MARK: Changing

  /// Adds a wait of a turn, which the caller must later settle or remove.
  ///
  /// - Parameter number: A number that is larger than that of any wait added before.
  mutating func add(_ id: WaitID, _ wait: Wait, of turn: TurnID, to place: WaitPlace, _ queue: Queue, number: UInt64) {
    func add(to edge: inout Edge) {
      edge.unsettled[id] = wait
      if wait.revocation == nil { edge.irrevocableCount += 1 }
    }
    add(to: &edges[turn, default: KeyedArray()][place, default: Edge(queue: queue, since: number)])
  }

  /// Records that a wait closes no cycle.
  mutating func settle(_ id: WaitID, of turn: TurnID, to place: WaitPlace) {
    change(turn, place) { edge in
      if let wait = edge.unsettled.remove(id) { edge.settled[id] = wait }
    }
  }

  /// Records that a cycle through an edge remains.
  ///
  /// Each wait that joins the edge also closes that cycle.
  mutating func leaveInCycle(_ turn: TurnID, _ place: WaitPlace) {
    change(turn, place) { $0.isInCycle = true }
  }

  /// Removes a wait that has ended or no longer leads anywhere, and returns its contents.
  ///
  /// The caller releases the contents without holding a lock. Does nothing for a wait that was already removed.
  mutating func remove(_ id: WaitID, of turn: TurnID, to place: WaitPlace) -> (queue: Queue, wait: Wait)? {
    let removed: (Queue, Wait, isLast: Bool)? =
      change(turn, place) { edge in
        guard let wait = edge.settled.remove(id) ?? edge.unsettled.remove(id) else { return nil }
        if wait.revocation == nil { edge.irrevocableCount -= 1 }
        return (edge.queue, wait, edge.count == 0)
      } ?? nil
    guard let (queue, wait, isLast) = removed else { return nil }
    if isLast {
      _ = edges[turn]?.remove(place)
      if edges[turn]?.isEmpty == true { edges[turn] = nil }
    }
    return (queue, wait)
  }

  @discardableResult
  private mutating func change<Result>(_ turn: TurnID, _ place: WaitPlace, _ body: (inout Edge) -> Result) -> Result? {
    edges[turn]?.change(place, body)
  }

  // MARK: Searching

  /// The last edge of a turn before an index, and the index of that edge.
  ///
  /// Repeated calls, each with the index that the previous call returned, visit every edge that was there from the
  /// start.
  func lead(of turn: TurnID, before index: Int) -> (lead: WaitLead<Queue>, index: Int)? {
    guard let edges = edges[turn] else { return nil }
    let next = min(index, edges.count) - 1
    if next < 0 { return nil }
    let (place, edge) = edges[next]
    return (WaitLead(place: place, queue: edge.queue, since: edge.since), next)
  }

  /// A current wait of an edge, with settled waits first, or `nil` if the edge is gone.
  func sample(of turn: TurnID, to place: WaitPlace) -> Sample? {
    guard let edge = edges[turn]?[place] else { return nil }
    let (id, wait) = edge[0]
    return Sample(
      id: id, ticket: wait.ticket, queue: edge.queue, isSettled: !edge.settled.isEmpty && !edge.isInCycle,
      since: edge.since)
  }

  /// Whether all waits of an edge can end early, which is also `true` if the edge is gone.
  func isRevocable(_ turn: TurnID, _ place: WaitPlace) -> Bool {
    (edges[turn]?[place]?.irrevocableCount ?? 0) == 0
  }

  /// The last wait of an edge before an index, and the index of that wait.
  func wait(
    of turn: TurnID, to place: WaitPlace, before index: Int
  ) -> (id: WaitID, wait: Wait, queue: Queue, index: Int)? {
    guard let edge = edges[turn]?[place] else { return nil }
    let next = min(index, edge.count) - 1
    return next < 0 ? nil : (edge[next].key, edge[next].value, edge.queue, next)
  }
}

/// The destination of a wait, which is the holder of a store's turn.
///
/// A wait for an overlapping action also leads to that action, which runs without a turn.
struct WaitPlace: Hashable, Sendable {
  let store: StoreID
  var overlapping: TurnID = .none
  /// Whether the wait is for the end of all actions, and so leads to every action that runs.
  var isForDrain = false
}

/// Identifies one wait of a store's action for another store.
enum WaitID: Hashable, Sendable {
  /// A call waits for its own turn.
  ///
  /// A ticket has one such wait.
  case turn(TurnID)
  /// A task awaits an outcome, a state, or an element of a stream.
  case other(UInt64)
}

/// The target of a wait, and the way to end the wait early.
struct Wait<Revocation: Sendable>: Sendable {
  /// The awaited ticket, or `nil` if any commit fulfills the wait.
  let ticket: TicketNumber?
  /// The way for another wait that closes a cycle to end this one, or `nil` if there is none.
  let revocation: Revocation?
}

/// The destination of an edge and the number of the wait that created it, for a cycle search to follow.
struct WaitLead<Queue: Sendable>: Sendable {
  let place: WaitPlace
  let queue: Queue
  let since: UInt64
}

// States of the logic are comparable, so that a test can visit each state once.
extension WaitGraphStateMachine.Edge: Equatable, Hashable where Queue: Hashable, Revocation: Hashable {}
extension WaitGraphStateMachine: Equatable, Hashable where Queue: Hashable, Revocation: Hashable {}
extension Wait: Equatable, Hashable where Revocation: Hashable {}
extension WaitLead: Equatable, Hashable where Queue: Hashable {}
