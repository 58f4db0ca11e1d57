import ActorStore
import ActorStoreTesting
import Testing

/// Expectations wait for a value, and report the last one that they saw.
@Suite struct ExpectationTests {
  private struct Failed: Error, Equatable {}

  private struct Account: Equatable, Sendable {
    var balance = 0
    var owner: String?
  }

  /// Each expected value arrives under any schedule, and without polling, so virtual time does not advance.
  @Test func expectedValuesArrive() throws {
    try Simulation.explore(schedules: 200) {
      let (one, other) = (Store(Account()), Store(Account()))
      let clock = SimulationClock()
      let total = StoreExpression(of: one, other) { await one.state.balance + other.state.balance }
      let isRich = StoreExpression(of: one) { await one.state.balance > 4 }
      let work = Simulation.task {
        for balance in 1...5 {
          await one.dispatch { $0.balance = balance }
          await other.dispatch { $0.balance = 10 * balance }
        }
        await other.dispatch { $0.owner = "Ann" }
      }
      try await expectEqual(total, 55)
      try await expectEqual(other.select(\.owner).values, "Ann")
      try await expectTrue(isRich)
      try await expectGreaterThan(total, 54)
      try await expectGreaterThanOrEqual(total, 55)
      try await expectLessThan(total, 56)
      try await expectLessThanOrEqual(total, 55)
      try await expectNotEqual(total, 0)
      let owner = try await expectNotNil(other.select(\.owner).values)
      let state = try await expect(one) { $0.balance == 5 }
      try await expectNil(one.select(\.owner).values)
      try await expectFalse(other.select(\.owner.isNil).values)
      await work.value
      try Simulation.expect(owner == "Ann" && state?.balance == 5, "\(String(describing: owner))")
      try Simulation.expect(clock.now.offset == .zero, "virtual time advanced")
    }
  }

  @Test func errors() throws {
    try Simulation.explore(schedules: 200) {
      let store = Store(0)
      let value = StoreExpression(of: store) {
        let count = await store.state
        if count % 2 == 1 { throw Failed() }
        return count
      }
      let work = Simulation.task { for _ in 0..<2 { await store.dispatch { $0 += 1 } } }
      _ = try await expectNoThrow(value)
      await work.value
      await store.dispatch { $0 += 1 }
      let error = try await expectThrowsError(value)
      try Simulation.expect(error is Failed)
    }
  }

  /// A stream keeps its unread values, so no value is missed between two expectations.
  @Test func consecutiveExpectationsMissNoValue() async throws {
    let store = Store(Account())
    let balances = store.select(\.balance).values
    for balance in 1...3 { await store.dispatch { $0.balance = balance } }
    for balance in 0...3 { try await expectEqual(balances, balance) }
  }

  @Test func throwingStreams() async throws {
    let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    continuation.yield(1)
    continuation.yield(2)
    continuation.finish(throwing: Failed())
    try await expectEqual(stream, 2)
    let error = try await expectThrowsError(stream)
    #expect(error is Failed)
  }

  // MARK: Unmet expectations

  private func problem(_ body: @escaping @Sendable () async throws -> Void) -> String {
    do {
      try Simulation.explore(schedules: 5, body: body)
      return "nothing"
    } catch {
      return "\(error.error.map { "\($0)" } ?? "\(error)")"
    }
  }

  /// The deadline applies even to an expression that ignores cancellation.
  @Test func expressionThatDoesNotReturn() {
    let problem = problem {
      let gate = AsyncStream<Void>.makeStream()
      let value = StoreExpression(of: Store(0)) {
        await Simulation.task { for await _ in gate.stream {} }.value
        return 1
      }
      try await expectEqual(value, 1, within: .seconds(60))
    }
    #expect(problem.hasPrefix("Expected a value equal to 1, but timed out after 60.0 seconds; there was no value."))
  }

  @Test func timeout() {
    let text = problem {
      let store = Store(Account(balance: 1))
      try await expectEqual(store, Account(balance: 2), within: .seconds(60))
    }
    let start = "Expected a value equal to Account(balance: 2, owner: nil), but timed out after 60.0 seconds; "
    #expect(text.contains(start + "the last value was (- expected, + seen):"))
    #expect(text.contains("-   balance: 2,\n+   balance: 1,"))
    #expect(text.contains("ExpectationTests.swift:\(#line - 5)"))
  }

  @Test func closedStoreEndsTheWait() {
    let text = problem {
      let store = Store(1)
      store.close()
      try await expectGreaterThan(store, 2, within: .seconds(60))
    }
    #expect(text.contains("Expected a value greater than 2, but no more values can come; the last value was 1"))
    let ofExpression = problem {
      let store = Store(1)
      store.close()
      try await expectTrue(StoreExpression(of: store) { await store.state == 2 })
    }
    #expect(ofExpression.contains("Expected true, but no more values can come; the last value was false"))
  }

  @Test func missingAndUnexpectedErrors() {
    #expect(
      problem { try await expectThrowsError(StoreExpression(of: Store(0)) { 1 }) }.contains("the last value was 1"))
    #expect(
      problem { try await expectNoThrow(StoreExpression<Int>(of: Store(0)) { throw Failed() }) }
        .contains("the last error was Failed()"))
  }

  /// Outside a simulation, a failure is reported at the line of the call, and the test continues.
  @Test func failuresAreReportedAtTheCall() async throws {
    let lines = Witness<Int>()
    try await withKnownIssue {
      let store = Store(1)
      store.close()
      let value = try await expectEqual(store, 2)
      #expect(value == nil)
    } matching: { issue in
      lines.saw(issue.sourceLocation?.line ?? 0)
      return true
    }
    #expect(lines.all == [#line - 6])
  }
}

extension String? {
  fileprivate var isNil: Bool { self == nil }
}
