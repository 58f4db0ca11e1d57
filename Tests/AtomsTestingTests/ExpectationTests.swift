import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing

/// Expectations wait for a value of an expression over atoms, without polling.
@Suite struct ExpectationTests {
  private let number = Atom(0)
  private let text = Atom<String?>(nil)

  private struct Negative: Error {}

  private func checked() throws -> Int {
    if number.value < 0 { throw Negative() }
    return number.value
  }

  @Test func expectationsFollowChanges() throws {
    try Simulation.explore(schedules: 100, timers: .race(upTo: 0)) { [number, text] in
      try await TestStore { _ in
        let double = DerivedAtom { number.value * 2 }
        async let change: Void = {
          for value in 1...3 {
            try await SimulationClock().sleep(for: .seconds(1))
            number.value = value
          }
          text.value = "x"
        }()
        try await expectNil(text.value)
        try await expectEqual(double.value, 2)
        try await expectNotEqual(number.value, 1)
        try await expectGreaterThan(number.value, 1)
        try await expectGreaterThanOrEqual(number.value, 3)
        try await expectLessThan(number.value, 4)
        try await expectLessThanOrEqual(number.value, 3)
        try await expectTrue(text.value == "x")
        try await expectFalse(text.value == nil)
        let unwrapped = try await expectNotNil(text.value)
        let found = try await expect(double.value + number.value) { $0 == 9 }
        if unwrapped != "x" || found != 9 { throw Negative() }
        try await change
      }
    }
  }

  @Test func expectationsOfErrors() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      try await TestStore { _ in
        number.value = -1
        async let change: Void = { number.value = 1 }()
        try await expectNoThrow(try checked())
        await change
        number.value = -1
        if try await expectThrowsError(try checked()) is Negative { return }
        throw CancellationError()
      }
    }
  }

  /// A wrapper that captures an atom makes nothing depend on it, but an expectation follows it.
  @Test func expectationsFollowCapturedAtoms() async throws {
    try await TestStore { store in
      @CaptureAtom(number) var captured
      async let change: Void = store.set(number, 5)
      try await expectEqual(captured, 5)
      await change
    }
  }

  /// An expectation evaluates its expression at once and after a change, and does not poll.
  @Test func anExpectationIsEvaluatedOnlyAfterChanges() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) { [number] in
      let (clock, evaluations) = (SimulationClock(), Tally())
      func evaluated() -> Int {
        evaluations.add()
        return number.value
      }
      try await TestStore { _ in
        async let change: Void = {
          try await clock.sleep(for: .milliseconds(300))
          number.value = 1
        }()
        try await expectEqual(evaluated(), 1, within: .milliseconds(500))
        let time = clock.now.offset
        try Simulation.expect(time == .milliseconds(300), "the expectation ended after \(time)")
        try Simulation.expect(evaluations.value == 2, "\(evaluations.value) evaluations")
        try await change
      }
    }
  }

  @Test func anExpectationThatFailsIsNotEvaluatedAgain() throws {
    let (number, evaluations) = (number, Tally())
    @Sendable func evaluated() -> Int {
      evaluations.add()
      return number.value
    }
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(.fifo, timers: .race(upTo: 0)) {
        let clock = SimulationClock()
        try await TestStore(exhaustivity: .off) { _ in
          async let change: Void = {
            try await clock.sleep(for: .milliseconds(800))
            number.value = 1
          }()
          _ = try? await expectEqual(evaluated(), 1, within: .milliseconds(500))
          try Simulation.expect(clock.now.offset == .milliseconds(500), "wrong time")
          try Simulation.expect(evaluations.value == 1, "\(evaluations.value) evaluations")
          try await change
        }
      }
    }
    let report = failure?.description ?? ""
    #expect(report.contains("timed out after 0.5 seconds") && !report.contains("evaluations"))
  }

  @Test func anExpectationLeavesAnAtomUnused() async throws {
    try await TestStore { store in
      number.value = 5
      try await expectEqual(number.value, 5)
      #expect(number.value == 5)
    }
  }

  /// A timeout under a second is not rounded to zero.
  @Test func aTimeoutUnderASecondCounts() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) { [number] in
      try await TestStore { _ in
        async let change: Void = {
          try await SimulationClock().sleep(for: .milliseconds(400))
          number.value = 1
        }()
        try await expectEqual(number.value, 1, within: .milliseconds(500), clock: SimulationClock())
        try await change
      }
    }
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 1, timers: .race(upTo: 0)) { [number] in
        try await TestStore { _ in
          async let change: Void = {
            try await SimulationClock().sleep(for: .milliseconds(600))
            number.value = 1
          }()
          try await expectEqual(number.value, 1, within: .milliseconds(500), clock: SimulationClock())
          try await change
        }
      }
    }
    #expect(failure?.description.contains("timed out after 0.5 seconds") == true)
  }

  @Test func aFailureHasTheLastValue() async {
    let found = await issues {
      try await TestStore { _ in try await expectEqual(number.value, 5, within: .zero) }
    }
    #expect(found.count == 1 && found[0].contains("timed out after 0.0 seconds"))
  }
}
