import ActorStoreTesting

@testable import ActorStore

/// A nested call that waits for another store, modeled as one locked step of `WaitGraph` at a time.
struct VirtualWait: Hashable {
  enum Step: Hashable {
    case add
    /// Checks whether its edge already has a settled wait.
    case look
    case search
    case settle
    case waits
    /// Removes its wait, because its turn arrived or the wait was refused.
    case remove
    case done
  }

  /// The number of the store in whose turn it is nested.
  let from: Int
  /// The number of the store that it waits for.
  let to: Int
  /// Whether it waits for a stream's element, so it cannot be refused and makes other waits give way.
  var isStream = false
  /// Whether it may be canceled at any moment.
  var canLeave = false
  var step = Step.add
  var number: UInt64 = 0
  var search: CycleSearch<Int>?
  /// The last edges of cycles that remain.
  var standing: Set<CycleSearch<Int>.Edge> = []
  var wasRefused = false
  /// Whether its wait was part of a cycle at any moment of its search.
  var sawCycle = false
  /// Whether it must give way or was canceled, even if it has yet to resume.
  var isRevoked = false

  var isThere: Bool { step != .add && step != .remove && step != .done }
}

/// Several waits across stores, in one of the states that their steps can reach.
///
/// Each store's turn has one action. The action ends when the waits nested in it are done, and then it no longer blocks
/// the waits for its store.
struct VirtualWaits: VirtualThreads {
  var table = WaitGraphStateMachine<Int, Int>()
  var waits: [VirtualWait]
  /// The stores whose actions have ended.
  var ended: Set<Int> = []
  var lastNumber: UInt64 = 0
  var violation: String?
  /// The expected number of refused waits, if it does not depend on the order of the steps.
  var refusals: Int?

  init(_ waits: [VirtualWait], refusals: Int? = nil) {
    self.waits = waits
    self.refusals = refusals
  }

  private func turn(_ store: Int) -> TurnID {
    var ticket = TicketNumber()
    ticket.advance()
    return TurnID(store: StoreID(number: UInt64(store + 1)), ticket: ticket)
  }

  private func place(_ store: Int) -> WaitPlace { WaitPlace(store: StoreID(number: UInt64(store + 1))) }
  private func holders(_ store: Int) -> [TurnID] { ended.contains(store) ? [] : [turn(store)] }

  private func isPending(_ index: Int) -> Bool { !ended.contains(waits[index].to) && !waits[index].isRevoked }

  enum Move {
    case wait(Int)
    /// Ends the action of a store in which no call waits.
    case end(Int)
    case cancel(Int)
  }

  var moves: [Move] {
    waits.indices.filter { index in
      switch waits[index].step {
      case .done: false
      case .waits: !isPending(index)
      default: true
      }
    }.map { .wait($0) } + others.subtracting(ended).sorted().map { .end($0) }
      + waits.indices.filter { waits[$0].canLeave && waits[$0].isThere && isPending($0) }.map { .cancel($0) }
  }

  /// The stores in whose actions no call waits.
  private var others: Set<Int> { Set(waits.map(\.to)).subtracting(waits.map(\.from)) }

  var isFinished: Bool { waits.allSatisfy { $0.step == .done } }

  mutating func take(_ move: Move) {
    switch move {
    case .wait(let index): step(index)
    case .end(let store): ended.insert(store)
    case .cancel(let index): waits[index].isRevoked = true
    }
    endActions()
    for index in waits.indices where waits[index].step == .search || waits[index].step == .look {
      if closesCycle(index) { waits[index].sawCycle = true }
    }
    guard isFinished, violation == nil else { return }
    if !table.isEmpty { violation = "a wait remains in the table" }
    let refused = waits.count(where: \.wasRefused)
    if let refusals, refused != refusals { violation = "\(refused) waits were refused" }
  }

  private mutating func step(_ index: Int) {
    let wait = waits[index]
    let (turn, place) = (turn(wait.from), place(wait.to))
    switch wait.step {
    case .add:
      lastNumber += 1
      waits[index].number = lastNumber
      let noted = Wait(ticket: TicketNumber(number: UInt64(index)), revocation: wait.isStream ? nil : index)
      table.add(.other(UInt64(index)), noted, of: turn, to: place, wait.to, number: lastNumber)
      waits[index].step = .look
    case .look:
      if waiting(turn, place)?.isSettled == true { return waits[index].step = .settle }
      waits[index].search = CycleSearch(from: turn, to: place, wait.to, number: wait.number)
      waits[index].step = .search
    case .search:
      answer(index)
    case .settle:
      table.settle(.other(UInt64(index)), of: turn, to: place)
      waits[index].step = .waits
    case .waits:
      waits[index].step = .remove
    case .remove:
      _ = table.remove(.other(UInt64(index)), of: turn, to: place)
      waits[index].step = .done
    case .done:
      violation = "a finished wait took a step"
    }
  }

  private mutating func waiting(_ turn: TurnID, _ place: WaitPlace) -> WaitGraphStateMachine<Int, Int>.Sample? {
    while let sample = table.sample(of: turn, to: place) {
      guard let ticket = sample.ticket, !isPending(Int(ticket.number)) else { return sample }
      _ = table.remove(sample.id, of: turn, to: place)
    }
    return nil
  }

  private mutating func answer(_ index: Int) {
    guard var search = waits[index].search else { return violation = "there is no search" }
    switch search.question {
    case .holders(let store, _): search.answer(holders: holders(store))
    case .lead(let turn, let index): search.answer(lead: table.lead(of: turn, before: index))
    case .isWaiting(let turn, let place): search.answer(waitingSince: waiting(turn, place)?.since)
    case .noCycle, .cycle: violation = "a finished search took a step"
    }
    waits[index].search = search
    switch search.question {
    case .noCycle:
      waits[index].search = nil
      waits[index].step = .settle
    case .cycle(let edges):
      waits[index].search = nil
      if !waits[index].sawCycle { violation = "found a cycle that never existed" }
      if waits[index].isStream { return revoke(edges, index) }
      waits[index].wasRefused = true
      waits[index].step = .remove
    default: break
    }
  }

  /// Makes waits of a cycle give way, and searches again.
  ///
  /// If all waits of an edge can give way, the waits of the first such edge give way. Otherwise, each wait in the cycle
  /// gives way if it can, and the cycle remains.
  private mutating func revoke(_ cycle: [CycleSearch<Int>.Edge], _ index: Int) {
    let (turn, place) = (turn(waits[index].from), place(waits[index].to))
    if let edge = cycle.first(where: { table.isRevocable($0.turn, $0.place) }) {
      revokeWhatCanGiveWay(edge)
    } else {
      for edge in cycle + [.init(turn: turn, place: place)] {
        table.leaveInCycle(edge.turn, edge.place)
        revokeWhatCanGiveWay(edge)
      }
      guard let last = cycle.last else { return waits[index].step = .settle }
      waits[index].standing.insert(last)
    }
    waits[index].search = CycleSearch(
      from: turn, to: place, waits[index].to, number: waits[index].number, excluding: waits[index].standing)
    waits[index].step = .search
  }

  private mutating func revokeWhatCanGiveWay(_ edge: CycleSearch<Int>.Edge) {
    var index = Int.max
    while let (_, wait, _, next) = table.wait(of: edge.turn, to: edge.place, before: index) {
      index = next
      guard let other = wait.revocation else { continue }
      waits[other].isRevoked = true
      waits[other].wasRefused = true
    }
  }

  private mutating func endActions() {
    for store in Set(waits.map(\.from)) where waits.allSatisfy({ $0.from != store || $0.step == .done }) {
      ended.insert(store)
    }
  }

  /// Whether the pending waits form a cycle through this one.
  private func closesCycle(_ index: Int) -> Bool {
    guard isPending(index) else { return false }
    var (open, seen) = ([waits[index].to], Set<Int>())
    while let store = open.popLast() {
      if store == waits[index].from { return true }
      guard !ended.contains(store), seen.insert(store).inserted else { continue }
      for other in waits.indices where waits[other].from == store && isPending(other) {
        switch waits[other].step {
        case .add, .done: break
        // A refused wait stays in the graph until it is removed, so a search may still find it.
        default: open.append(waits[other].to)
        }
      }
    }
    return false
  }
}
