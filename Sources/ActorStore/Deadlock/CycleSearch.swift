/// The search for a cycle that one more wait would close, as pure logic.
///
/// The search asks one question at a time. The caller answers each question under the lock that guards the answer. No
/// lock is held from one question to the next, so the graph may change in between. The search remains correct for these
/// reasons:
///
/// - A wait is in the graph before its search begins, and its number is larger than those of the waits that were there
///   before it. The search follows only edges with smaller numbers. So the last of the waits that form a cycle finds
///   it, and only that one. (That wait stays in the graph until its task removes it. Another wait that begins in the
///   meantime may encounter it and be refused unnecessarily.)
/// - After it finds the last step of a path, the search checks each step again. It accepts the path as a cycle only if
///   no step has changed. In that case, all steps existed at the same time, between the two passes. Otherwise, the
///   search starts over.
/// - Handing off a turn changes where waits lead but cannot close a cycle, because the next holder does not wait for
///   anything yet.
struct CycleSearch<Queue: Sendable>: Sendable {
  enum Question: Sendable {
    /// Which turns block the waits at this place?
    case holders(Queue, WaitPlace)
    /// What is the turn's next edge before this index?
    case lead(TurnID, before: Int)
    /// Is a wait of this edge still waiting, and since when has the edge existed without interruption?
    case isWaiting(TurnID, WaitPlace)
    /// The search is finished, and the wait closes no cycle.
    case noCycle
    /// The search is finished, and the wait closes a cycle through these edges.
    case cycle([Edge])
  }

  struct Edge: Hashable, Sendable {
    let turn: TurnID
    let place: WaitPlace
  }

  /// One step of the path, with a turn, the edge followed from it, and the destination of that edge.
  fileprivate struct Step: Sendable {
    /// The turn of this step, which in the first step is the turn that is about to wait.
    let turn: TurnID
    /// The index from which the visit of the turn's edges continues.
    var index = Int.max
    var lead: WaitLead<Queue>?
    /// The holders at the edge's place that the search has yet to visit.
    var holders: [TurnID] = []
    /// The holder with which the path continues.
    var next = TurnID.none
  }

  private enum Phase: Hashable, Sendable {
    case following
    /// The search is checking the path again, and has checked this many steps.
    case verifying(Int)
    case ended
  }

  private let first: WaitLead<Queue>
  /// Edges that the search does not follow.
  private let excluded: Set<Edge>
  private let turn: TurnID
  private var path: [Step] = []
  private var seen: Set<TurnID> = []
  private var phase = Phase.following
  private(set) var question: Question

  /// Begins the search for a turn that is about to wait.
  ///
  /// - Parameters:
  ///   - number: The number of the turn's wait.
  ///   - excluded: Edges that the search does not follow.
  init(from turn: TurnID, to place: WaitPlace, _ queue: Queue, number: UInt64, excluding excluded: Set<Edge> = []) {
    self.turn = turn
    self.excluded = excluded
    first = WaitLead(place: place, queue: queue, since: number)
    question = .holders(queue, place)
    start()
  }

  private mutating func start() {
    phase = .following
    seen = []
    path = [Step(turn: turn, index: 0, lead: first)]
    question = .holders(first.queue, first.place)
  }

  // MARK: Answers

  mutating func answer(holders: [TurnID]) {
    if case .verifying(let count) = phase {
      if !holders.contains(path[count].next) { return start() }
      return verify(count + 1)
    }
    path[path.count - 1].holders = holders
    advance()
  }

  mutating func answer(lead: (lead: WaitLead<Queue>, index: Int)?) {
    guard let (lead, index) = lead else {
      path.removeLast()
      return advance()
    }
    path[path.count - 1].index = index
    path[path.count - 1].lead = lead
    if excluded.contains(Edge(turn: path[path.count - 1].turn, place: lead.place)) { return advance() }
    question = .isWaiting(path[path.count - 1].turn, lead.place)
  }

  /// - Parameter since: The number since which the edge has existed, or `nil` if none of its waits is pending.
  mutating func answer(waitingSince since: UInt64?) {
    if case .verifying(let count) = phase {
      // The first edge belongs to the wait itself, and may be older than the wait. If none of its waits is pending,
      // there is no wait to refuse.
      if count == 0, since == nil { return end(with: .noCycle) }
      guard let lead = path[count].lead, count == 0 || since == lead.since else { return start() }
      question = .holders(lead.queue, lead.place)
      return
    }
    // A later wait searches for cycles itself.
    guard let since, since < first.since, let lead = path[path.count - 1].lead else { return advance() }
    path[path.count - 1].lead = WaitLead(place: lead.place, queue: lead.queue, since: since)
    question = .holders(lead.queue, lead.place)
  }

  // MARK: Following

  /// Advances the path to the next turn or to the last turn's next edge, or backtracks.
  private mutating func advance() {
    while let last = path.indices.last {
      if let holder = path[last].holders.popLast() {
        path[last].next = holder
        if holder == turn { return verify(0) }
        if seen.insert(holder).inserted { path.append(Step(turn: holder)) }
      } else if last == 0 {
        break
      } else {
        question = .lead(path[last].turn, before: path[last].index)
        return
      }
    }
    end(with: .noCycle)
  }

  /// Checks again each step of a path that leads back to its beginning.
  private mutating func verify(_ count: Int) {
    guard count < path.count else {
      return end(
        with: .cycle(
          path.dropFirst().compactMap { step in
            step.lead.map { Edge(turn: step.turn, place: $0.place) }
          }))
    }
    phase = .verifying(count)
    guard let lead = path[count].lead else { return start() }
    question = .isWaiting(path[count].turn, lead.place)
  }

  private mutating func end(with answer: Question) {
    phase = .ended
    question = answer
  }
}

extension CycleSearch.Question: Equatable, Hashable where Queue: Hashable {}
extension CycleSearch.Step: Equatable, Hashable where Queue: Hashable {}
extension CycleSearch: Equatable, Hashable where Queue: Hashable {}
