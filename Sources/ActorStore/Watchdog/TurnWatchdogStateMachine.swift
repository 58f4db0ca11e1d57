/// The stores of a watchdog and the tickets seen in them, as pure logic.
///
/// The watchdog samples all stores in *sweeps*, which are at least one limit apart. If a store has the same holder in
/// two sweeps in a row, the turn has been held for longer than the limit. So a store needs no times, and its sample
/// takes one comparison. The times are those of the sweeps:
///
/// ```
/// sweep 1      sweep 2      sweep 3      sweep 4
///   |            |            |            |
///   |      [ a turn ............... ]      |
///                |            |            |
///            first seen    held: it     ended: it ended
///                          began        between sweeps
///                          between      3 and 4
///                          sweeps
///                          1 and 2
/// ```
///
/// `Store` represents a store, and `Details` represents what a report contains.
struct TurnWatchdogStateMachine<Store: Sendable, Details: Sendable>: Sendable {
  /// A turn that was reported.
  struct Held: Sendable {
    let details: Details
    /// The bounds of the turn's start.
    let start: ClosedRange<Duration>
    /// The start of the sweep that reported it.
    let sweep: Duration
  }

  /// A report to make.
  struct Step: Sendable {
    enum Event: Hashable, Sendable { case held, ended }

    let event: Event
    let details: Details
    /// The bounds of the time that the turn was held, until the sample or its end.
    let held: ClosedRange<Duration>
    /// The bounds of the time since the turn began.
    let age: ClosedRange<Duration>
  }

  fileprivate struct Sweep: Sendable {
    var start = Duration.zero
    var end = Duration.zero
  }

  fileprivate struct Departed: Sendable {
    let held: Held
    let lastSeen: Duration
  }

  private let limit: Duration
  /// The store at each place.
  private var stores: [Store?] = []
  /// The holder at each place in the last sweep.
  ///
  /// A sweep compares all of them, so they are in an array of their own.
  private var tickets: [TicketNumber] = []
  private var freePlaces: [Int] = []
  /// The reported turns that have not ended, by place.
  private var reported: [Int: Held] = [:]
  /// The reported turns of stores that were released since the last sweep ended, and when they were last seen.
  private var departed: [Departed] = []
  /// The current sweep or, if there is none, the last one.
  private var current = Sweep()
  private var isSweeping = false
  /// The sweep before the current one.
  private var last = Sweep()
  /// The start of the sweep before that.
  private var earlierStart = Duration.zero

  init(limit: Duration) {
    self.limit = limit
  }

  var count: Int { stores.count - freePlaces.count }

  // MARK: Stores

  /// Adds a store that has never been used, and returns its place.
  mutating func add(_ store: Store) -> Int {
    guard let place = freePlaces.popLast() else {
      stores.append(store)
      tickets.append(.none)
      return stores.count - 1
    }
    stores[place] = store
    return place
  }

  /// Removes the store at a place.
  mutating func remove(_ place: Int) {
    if let held = reported.removeValue(forKey: place) {
      // The current sweep may not have visited the store, unless it has reported the turn.
      let lastSeen = isSweeping ? max(last.start, held.sweep) : current.start
      departed.append(Departed(held: held, lastSeen: lastSeen))
    }
    stores[place] = nil
    tickets[place] = .none
    freePlaces.append(place)
    // The arrays are as long as they were at the largest number of stores. An array never shrinks.
    if count == 0 { (stores, tickets, freePlaces, reported) = ([], [], [], [:]) }
  }

  // MARK: Sweeps

  /// When the next sweep is due.
  var nextSweep: Duration { current.end + limit }

  /// Begins a sweep, or returns `false` if it is too early.
  ///
  /// Time zero is when the watchdog is created. Its stores are created later, so none of their turns began before.
  mutating func beginSweep(at now: Duration) -> Bool {
    if now < nextSweep { return false }
    earlierStart = last.start
    last = current
    current.start = now
    isSweeping = true
    return true
  }

  /// Calls `body` for each of the next few places, with the place, its store, and the ticket whose details are needed.
  ///
  /// The store is `inout`, because copying a weak reference takes longer than the rest of a visit.
  ///
  /// Returns the place from which the sweep continues, or `nil` if there is none.
  mutating func visit(
    from place: Int,
    count: Int,
    _ body: (_ place: Int, inout Store?, _ expected: TicketNumber) -> Void
  ) -> Int? {
    let end = min(place + count, stores.count)
    for place in min(place, end)..<end {
      body(place, &stores[place], isReported(place) ? .none : tickets[place])
    }
    return end < stores.count ? end : nil
  }

  private func isReported(_ place: Int) -> Bool { !reported.isEmpty && reported[place] != nil }

  /// Fast path of `record`.
  ///
  /// Returns `false`, changing nothing, if there may be a report.
  mutating func recordUneventful(_ holder: TicketNumber, at place: Int) -> Bool {
    if tickets[place] == holder { return holder == .none || isReported(place) }
    if !reported.isEmpty { return false }
    tickets[place] = holder
    return true
  }

  /// Records a sample of the store at a place.
  ///
  /// - Parameters:
  ///   - holder: The ticket of the holder, or `.none`.
  ///   - details: The details of the turn if the holder is the expected ticket.
  mutating func record(_ holder: TicketNumber, _ details: Details?, at place: Int, now: Duration) -> Step? {
    let now = notBeforeSweep(now)
    if tickets[place] == holder {
      guard let details, !isReported(place) else { return nil }
      let held = Held(details: details, start: earlierStart...last.end, sweep: current.start)
      reported[place] = held
      return Step(
        event: .held, details: details, held: current.start - last.end...now - earlierStart, age: held.age(now))
    }
    tickets[place] = holder
    if reported.isEmpty { return nil }
    // The turn was held in the last sweep, but not in this one.
    return reported.removeValue(forKey: place).map { ended($0, lastSeen: last.start, now) }
  }

  /// Ends the sweep, and returns the reports of turns whose stores were released since the last one ended.
  mutating func endSweep(at now: Duration) -> [Step] {
    let now = notBeforeSweep(now)
    current.end = now
    isSweeping = false
    defer { departed = [] }
    return departed.map { ended($0.held, lastSeen: $0.lastSeen, now) }
  }

  /// A time of the current sweep, even if the clock has gone backward.
  private func notBeforeSweep(_ time: Duration) -> Duration { max(time, current.start) }

  private func ended(_ held: Held, lastSeen: Duration, _ now: Duration) -> Step {
    Step(
      event: .ended, details: held.details,
      held: lastSeen - held.start.upperBound...now - held.start.lowerBound, age: held.age(now))
  }
}

extension TurnWatchdogStateMachine.Held {
  fileprivate func age(_ now: Duration) -> ClosedRange<Duration> {
    now - start.upperBound...now - start.lowerBound
  }
}

// States of the logic are comparable, so that a test can visit each state once.
extension TurnWatchdogStateMachine.Held: Equatable, Hashable where Details: Hashable {}
extension TurnWatchdogStateMachine.Departed: Equatable, Hashable where Details: Hashable {}
extension TurnWatchdogStateMachine.Step: Equatable, Hashable where Details: Hashable {}
extension TurnWatchdogStateMachine.Sweep: Equatable, Hashable {}
extension TurnWatchdogStateMachine: Equatable, Hashable where Store: Hashable, Details: Hashable {}
