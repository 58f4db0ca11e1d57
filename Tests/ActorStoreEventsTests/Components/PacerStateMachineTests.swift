import Testing

@testable import ActorStoreEvents

/// The logic of pacing, compared with its definition for all arrivals in twelve steps of time.
@Suite struct PacerStateMachineTests {
  struct Instant: InstantProtocol {
    var time: Int

    func advanced(by duration: Duration) -> Instant { Instant(time: time + Int(duration.components.seconds)) }
    func duration(to other: Instant) -> Duration { .seconds(other.time - time) }
    static func < (one: Instant, other: Instant) -> Bool { one.time < other.time }
  }

  struct Delivery: Equatable {
    let value: Int
    let time: Int
  }

  private static let steps = 12

  /// Runs the state machine.
  ///
  /// Each value is the time of its arrival. At each time, the timer wakes before a value arrives.
  private func run(_ pacing: Pacing, _ arrivals: [Int]) -> [Delivery] {
    var stateMachine = PacerStateMachine<Instant, Int>(pacing)
    var deliveries: [Delivery] = []
    var timer: Int?
    for time in 0..<Self.steps {
      func perform(_ step: PacerStateMachine<Instant, Int>.Step) {
        if let value = step.value { deliveries.append(Delivery(value: value, time: time)) }
        guard let deadline = step.deadline else { return }
        #expect(timer == nil, "two timers")
        #expect(deadline.time > time)
        timer = deadline.time
      }
      if timer == time {
        timer = nil
        perform(stateMachine.wake(at: Instant(time: time)))
      }
      if arrivals.contains(time) { perform(stateMachine.receive(time, at: Instant(time: time))) }
    }
    if let value = stateMachine.flush() { deliveries.append(Delivery(value: value, time: Self.steps)) }
    #expect(stateMachine.flush() == nil)
    return deliveries
  }

  /// Compares the deliveries for all arrivals with those that a closure returns, and records the first difference.
  private func check(_ pacing: Pacing, _ expected: ([Int]) -> [Delivery]) {
    for bits in 0..<1 << Self.steps {
      let arrivals = (0..<Self.steps).filter { bits >> $0 & 1 == 1 }
      let (deliveries, expected) = (run(pacing, arrivals), expected(arrivals))
      if deliveries == expected { continue }
      Issue.record("For \(arrivals), delivered \(deliveries), but expected \(expected).")
      return
    }
  }

  @Test(arguments: 1...4) func aDebouncedValueIsDeliveredWhenNoOtherFollows(_ interval: Int) {
    check(.debounced(.seconds(interval))) { arrivals in
      var expected: [Delivery] = []
      for (index, value) in arrivals.enumerated() {
        let next = index + 1 < arrivals.count ? arrivals[index + 1] : Int.max
        let end = index == 0 ? value : value + interval
        if end <= next { expected.append(Delivery(value: value, time: min(end, Self.steps))) }
      }
      return expected
    }
  }

  @Test(arguments: 1...4) func aThrottledValueIsDeliveredOncePerInterval(_ interval: Int) {
    check(.throttled(.seconds(interval), .both)) { arrivals in
      // The newest value is delivered as soon as the last delivery is far enough away.
      var expected: [Delivery] = []
      for time in 0..<Self.steps {
        for newest in [arrivals.last { $0 < time }, arrivals.last { $0 <= time }] {
          guard let newest, newest != expected.last?.value else { continue }
          if let last = expected.last, time < last.time + interval { continue }
          expected.append(Delivery(value: newest, time: time))
        }
      }
      let missing = arrivals.last.flatMap { $0 == expected.last?.value ? nil : $0 }
      expected += missing.map { [Delivery(value: $0, time: Self.steps)] } ?? []
      return expected
    }
  }

  @Test(arguments: 1...4) func aLeadingValueIsDeliveredOncePerInterval(_ interval: Int) {
    check(.throttled(.seconds(interval), .leading)) { arrivals in
      arrivals.reduce(into: []) { deliveries, time in
        if let last = deliveries.last, time < last.time + interval { return }
        deliveries.append(Delivery(value: time, time: time))
      }
    }
  }

  @Test(arguments: 1...4) func aTrailingValueIsDeliveredAtTheEndOfAnInterval(_ interval: Int) {
    check(.throttled(.seconds(interval), .trailing)) { arrivals in
      var expected = arrivals.first.map { [Delivery(value: $0, time: $0)] } ?? []
      // An interval begins with a delivery, or with a value outside of any interval.
      var (begin, pending) = (arrivals.first ?? 0, Int?.none)
      for time in 0..<Self.steps where !expected.isEmpty && time > expected[0].time {
        if let value = pending, time == begin + interval {
          expected.append(Delivery(value: value, time: time))
          (begin, pending) = (time, nil)
        }
        guard arrivals.contains(time) else { continue }
        if pending == nil && time >= begin + interval { begin = time }
        pending = time
      }
      if let pending { expected.append(Delivery(value: pending, time: Self.steps)) }
      return expected
    }
  }

  /// A timer can wake early, for example if the clock goes backward.
  @Test func anEarlyTimerSleepsAgain() {
    var stateMachine = PacerStateMachine<Instant, Int>(.debounced(.seconds(5)))
    #expect(stateMachine.receive(1, at: Instant(time: 0)).value == 1)
    #expect(stateMachine.receive(2, at: Instant(time: 1)).deadline?.time == 6)
    #expect(stateMachine.wake(at: Instant(time: 2)).deadline?.time == 6)
    #expect(stateMachine.wake(at: Instant(time: 6)).value == 2)
    #expect(stateMachine.wake(at: Instant(time: 7)).value == nil)
    // A stuck clock would wake the timer forever.
    #expect(stateMachine.receive(3, at: Instant(time: 8)).deadline?.time == 13)
    #expect(stateMachine.wake(at: Instant(time: 8)).deadline?.time == 13)
    #expect(stateMachine.wake(at: Instant(time: 8)).value == 3)
  }
}
