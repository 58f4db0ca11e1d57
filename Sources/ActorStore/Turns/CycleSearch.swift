/// The search for a cycle that one more wait would close: the logic alone.
///
/// It asks one question at a time. The caller answers each under whatever lock guards the answer, so no lock is held from
/// one question to the next, and the graph may change in between. It stays right all the same:
///
/// - A wait is in the graph before its search begins, and has a larger number than the waits that were there before it.
///   The search follows only edges with smaller numbers. So of the waits that form a cycle exactly one finds it: the
///   last. (It stays in the graph until its task takes it out. One more wait that begins in between may meet it and be
///   refused without need.)
/// - The search takes a path for a cycle only if each part of it, asked again after the last part was found, has not
///   changed. Then all parts were there at once, between the two passes. Otherwise it starts over.
/// - Handing over a turn changes where waits lead, but cannot close a cycle: the next holder waits for nothing yet.
struct CycleSearch<Line: Sendable>: Sendable {
  enum Question: Sendable {
    /// Which turns hold up whatever waits at this place?
    case holders(Line, WaitPlace)
    /// Which is the turn's next edge, below this index?
    case lead(TurnID, below: Int)
    /// Does a wait of this edge still wait? Since when has the edge been there without a break?
    case isWaiting(TurnID, WaitPlace)
    /// Answered: the wait closes no cycle.
    case noCycle
    /// Answered: the wait closes a cycle through these edges.
    case cycle([Edge])
  }

  struct Edge: Hashable, Sendable {
    let turn: TurnID
    let place: WaitPlace
  }

  /// One step of the path: a turn, the edge that is followed from it, and where that leads.
  fileprivate struct Step: Sendable {
    /// The turn of the first step is the one that is about to wait.
    let turn: TurnID
    /// Where the visit of the turn's edges goes on.
    var index = Int.max
    var lead: WaitLead<Line>?
    /// The holders at the edge's place that are still to be visited.
    var holders: [TurnID] = []
    /// The holder that the path goes on with.
    var next = TurnID.none
  }

  private enum Phase: Hashable, Sendable {
    case following
    /// So many steps of the path have been asked again.
    case verifying(Int)
    case ended
  }

  private let first: WaitLead<Line>
  /// Edges that the search does not follow.
  private let excluded: Set<Edge>
  private let turn: TurnID
  private var path: [Step] = []
  private var seen: Set<TurnID> = []
  private var phase = Phase.following
  private(set) var question: Question

  /// A turn is about to wait.
  ///
  /// - Parameters:
  ///   - number: The number of its wait.
  ///   - excluded: Edges that the search does not follow.
  init(from turn: TurnID, to place: WaitPlace, _ line: Line, number: UInt64, excluding excluded: Set<Edge> = []) {
    self.turn = turn
    self.excluded = excluded
    first = WaitLead(place: place, line: line, since: number)
    question = .holders(line, place)
    start()
  }

  private mutating func start() {
    phase = .following
    seen = []
    path = [Step(turn: turn, index: 0, lead: first)]
    question = .holders(first.line, first.place)
  }

  // MARK: Answers

  mutating func answer(holders: [TurnID]) {
    if case .verifying(let count) = phase {
      if !holders.contains(path[count].next) { return start() }
      return verify(count + 1)
    }
    path[path.count - 1].holders = holders
    goOn()
  }

  mutating func answer(lead: (lead: WaitLead<Line>, index: Int)?) {
    guard let (lead, index) = lead else {
      path.removeLast()
      return goOn()
    }
    path[path.count - 1].index = index
    path[path.count - 1].lead = lead
    if excluded.contains(Edge(turn: path[path.count - 1].turn, place: lead.place)) { return goOn() }
    question = .isWaiting(path[path.count - 1].turn, lead.place)
  }

  /// - Parameter since: Nil if nothing waits there any more.
  mutating func answer(waitingSince since: UInt64?) {
    if case .verifying(let count) = phase {
      // The first edge is that of the wait itself. It may be older, and if nothing waits there, there is no wait to refuse.
      if count == 0, since == nil { return end(with: .noCycle) }
      guard let lead = path[count].lead, count == 0 || since == lead.since else { return start() }
      question = .holders(lead.line, lead.place)
      return
    }
    // A later wait looks for cycles itself.
    guard let since, since < first.since, let lead = path[path.count - 1].lead else { return goOn() }
    path[path.count - 1].lead = WaitLead(place: lead.place, line: lead.line, since: since)
    question = .holders(lead.line, lead.place)
  }

  // MARK: Following

  /// Follows the path to the next turn, or the last turn's next edge, or goes back.
  private mutating func goOn() {
    while let last = path.indices.last {
      if let holder = path[last].holders.popLast() {
        path[last].next = holder
        if holder == turn { return verify(0) }
        if seen.insert(holder).inserted { path.append(Step(turn: holder)) }
      } else if last == 0 {
        break
      } else {
        question = .lead(path[last].turn, below: path[last].index)
        return
      }
    }
    end(with: .noCycle)
  }

  /// Asks again about each step of a path that leads back to its beginning.
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

extension CycleSearch.Question: Equatable, Hashable where Line: Hashable {}
extension CycleSearch.Step: Equatable, Hashable where Line: Hashable {}
extension CycleSearch: Equatable, Hashable where Line: Hashable {}
