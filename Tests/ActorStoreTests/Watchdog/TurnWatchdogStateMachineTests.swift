import Testing

@testable import ActorStore

@Suite struct TurnWatchdogStateMachineTests {
  @Test func placesAreReused() {
    var watchdog = TurnWatchdogStateMachine<Int, Int>(limit: .seconds(1))
    let places = (0..<3).map { watchdog.add($0) }
    for store in 3..<100 {
      watchdog.remove(places[1])
      let place = watchdog.add(store)
      #expect(place == places[1])
    }
    #expect(watchdog.count == 3)
    for place in places { watchdog.remove(place) }
    // The memory is free again.
    #expect(watchdog == TurnWatchdogStateMachine(limit: .seconds(1)))
  }

  /// A clock that wakes its sleepers too early causes no wrong report.
  @Test func sweepIsNeverEarly() {
    var watchdog = TurnWatchdogStateMachine<Int, Int>(limit: .seconds(2))
    var begins = [watchdog.beginSweep(at: .seconds(1)), watchdog.beginSweep(at: .seconds(2))]
    _ = watchdog.endSweep(at: .seconds(3))
    begins.append(watchdog.beginSweep(at: .seconds(4)))
    #expect(begins == [false, true, false])
    #expect(watchdog.nextSweep == .seconds(5))
  }

  /// A turn that is reported, ends, and loses its store during one sweep was held for at least the limit.
  @Test func storeIsRemovedDuringTheSweepThatReportsItsTurn() {
    var watchdog = TurnWatchdogStateMachine<Int, Int>(limit: .seconds(2))
    let (place, ticket) = (watchdog.add(0), TicketNumber(number: 1))
    _ = watchdog.beginSweep(at: .seconds(2))
    _ = watchdog.record(ticket, nil, at: place, now: .seconds(2))
    _ = watchdog.endSweep(at: .seconds(2))
    _ = watchdog.beginSweep(at: .seconds(4))
    let held = watchdog.record(ticket, 7, at: place, now: .seconds(4))
    watchdog.remove(place)
    let ended = watchdog.endSweep(at: .seconds(5))
    #expect(held?.held == Duration.seconds(2)...Duration.seconds(4))
    #expect(ended.map(\.held) == [Duration.seconds(2)...Duration.seconds(5)])
  }

  /// The lower bound of a report does not exceed the upper bound, even if the clock goes backward.
  @Test func clockGoesBackward() {
    var watchdog = TurnWatchdogStateMachine<Int, Int>(limit: .seconds(1))
    let (place, ticket) = (watchdog.add(0), TicketNumber(number: 1))
    var steps: [TurnWatchdogStateMachine<Int, Int>.Step] = []
    for second in [10, 12, 15] {
      let isDue = watchdog.beginSweep(at: .seconds(second))
      #expect(isDue)
      if second == 15 { watchdog.remove(place) }
      if second < 15, let step = watchdog.record(ticket, 7, at: place, now: .seconds(3)) { steps.append(step) }
      steps += watchdog.endSweep(at: .seconds(2))
      #expect(watchdog.nextSweep == .seconds(second + 1))
    }
    #expect(steps.map(\.event) == [.held, .ended])
    let lowerBound = Duration.seconds(2)
    #expect(steps.map(\.held) == [lowerBound...Duration.seconds(12), lowerBound...Duration.seconds(15)])
  }
}
