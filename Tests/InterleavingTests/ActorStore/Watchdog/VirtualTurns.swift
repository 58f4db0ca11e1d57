import ActorStoreTesting

@testable import ActorStore

/// Stores whose turns begin and end while a watchdog sweeps over them, in virtual time.
struct VirtualTurns: VirtualThreads {
  enum Move {
    case tick, sweep
    case begin(Int), end(Int), handOff(Int)
    case release(Int), create(Int)
  }

  private struct Turn: Hashable {
    let start: Int
    var end: Int?
    var reports: [TurnWatchdogStateMachine<Int, Int>.Step.Event] = []
  }

  private struct VirtualStore: Hashable {
    var place: Int?
    var lastTicket = TicketNumber()
    /// The index of the holder's turn.
    var holder: Int?
  }

  /// The progress of the watchdog's task.
  private enum Sweeper: Hashable {
    case asleep
    case visiting(from: Int)
    case sampled(store: Int, place: Int, holder: TicketNumber, details: Int?, next: Int?)
    case skipped(next: Int?)
  }

  static let limit = 2
  /// Whether a sweep takes no time and is never late.
  private let isPunctual: Bool
  private let end: Int
  private let maxTurns: Int
  private var time = 0
  private var stateMachine = TurnWatchdogStateMachine<Int, Int>(limit: .seconds(limit))
  private var stores: [VirtualStore] = []
  private var turns: [Turn] = []
  private var sweeper = Sweeper.asleep
  private var fault: String?

  init(stores count: Int, turns: Int, until end: Int, isPunctual: Bool) {
    self.isPunctual = isPunctual
    self.end = end
    maxTurns = turns
    stores = (0..<count).map { VirtualStore(place: stateMachine.add($0)) }
  }

  private var now: Duration { .seconds(time) }
  private var isDue: Bool { now >= stateMachine.nextSweep }

  /// The store that the watchdog holds during a visit.
  private var visited: Int? { if case .sampled(let store, _, _, _, _) = sweeper { store } else { nil } }

  // MARK: Moves

  var moves: [Move] {
    var moves: [Move] = []
    if time < end, !isPunctual || sweeper == .asleep && !isDue { moves.append(.tick) }
    if sweeper != .asleep || isDue { moves.append(.sweep) }
    for (index, store) in stores.enumerated() {
      if store.place == nil {
        if turns.count < maxTurns { moves.append(.create(index)) }
      } else if store.holder == nil {
        if turns.count < maxTurns { moves.append(.begin(index)) }
        if visited != index { moves.append(.release(index)) }
      } else {
        moves.append(.end(index))
        if turns.count < maxTurns { moves.append(.handOff(index)) }
      }
    }
    return moves
  }

  var isFinished: Bool { time == end && sweeper == .asleep }

  mutating func take(_ move: Move) {
    switch move {
    case .tick: time += 1
    case .sweep: sweep()
    case .begin(let store): begin(store)
    case .end(let store): endTurn(store)
    case .handOff(let store):
      endTurn(store)
      begin(store)
    case .release(let store):
      if let place = stores[store].place { stateMachine.remove(place) }
      stores[store] = VirtualStore()
    case .create(let store): stores[store].place = stateMachine.add(store)
    }
  }

  private mutating func begin(_ store: Int) {
    stores[store].lastTicket.advance()
    stores[store].holder = turns.count
    turns.append(Turn(start: time))
  }

  private mutating func endTurn(_ store: Int) {
    guard let holder = stores[store].holder.take() else { return }
    turns[holder].end = time
  }

  private mutating func sweep() {
    switch sweeper {
    case .asleep:
      if !stateMachine.beginSweep(at: now) { fault = "a sweep that was due did not begin" }
      sweeper = .visiting(from: 0)
    case .visiting(let place):
      var visit: (place: Int, store: Int, expected: TicketNumber)?
      let next = stateMachine.visit(from: place, count: 1) { place, store, expected in
        if let store { visit = (place, store, expected) }
      }
      guard let visit else {
        sweeper = .skipped(next: next)
        return
      }
      // The visit and the sample are one step, because no move of another thread between them affects the visit. Other
      // threads can move between the sample and its recording, so the recording is the next step.
      let store = stores[visit.store]
      let holder = store.holder == nil ? TicketNumber.none : store.lastTicket
      let isExpected = holder != .none && holder == visit.expected
      sweeper = .sampled(
        store: visit.store, place: visit.place, holder: holder, details: isExpected ? store.holder : nil, next: next)
    case .sampled(_, let place, let holder, let details, let next):
      if !stateMachine.recordUneventful(holder, at: place),
        let step = stateMachine.record(holder, details, at: place, now: now)
      {
        check(step)
      }
      goOn(next)
    case .skipped(let next): goOn(next)
    }
  }

  private mutating func goOn(_ next: Int?) {
    if let next {
      sweeper = .visiting(from: next)
    } else {
      for step in stateMachine.endSweep(at: now) { check(step) }
      sweeper = .asleep
    }
  }

  // MARK: Rules

  private mutating func check(_ step: TurnWatchdogStateMachine<Int, Int>.Step) {
    let turn = turns[step.details]
    turns[step.details].reports.append(step.event)
    let held = Duration.seconds((turn.end ?? time) - turn.start)
    if step.held.lowerBound < .seconds(Self.limit) { fault = "the report says less than the limit" }
    switch step.event {
    case .held:
      if !turn.reports.isEmpty { fault = "a turn was reported twice" }
      if held < .seconds(Self.limit) { fault = "a turn was reported that was held for less than the limit" }
      // The turn may end between the sample and the report.
      if held > step.held.upperBound { fault = "a turn was held for longer than reported" }
      if turn.end == nil, held < step.held.lowerBound { fault = "a turn was held for less than reported" }
    case .ended:
      if turn.reports != [.held] { fault = "an end was reported after \(turn.reports)" }
      if turn.end == nil { fault = "an end was reported of a turn that has not ended" }
      if !step.held.contains(held) { fault = "a turn was held for \(held), and the report says \(step.held)" }
    }
    if !step.age.contains(.seconds(time - turn.start)) { fault = "the age is wrong" }
  }

  var violation: String? {
    if let fault { return fault }
    if stateMachine.count != stores.count(where: { $0.place != nil }) { return "the watchdog miscounts the stores" }
    guard isPunctual, sweeper == .asleep, !isDue else { return nil }
    for turn in turns {
      let held = (turn.end ?? time) - turn.start
      if held > 2 * Self.limit, turn.reports.isEmpty { return "a turn was held for \(held), and not reported" }
      if let end = turn.end, time - end >= Self.limit, turn.reports == [.held] { return "an end was not reported" }
    }
    return nil
  }
}
