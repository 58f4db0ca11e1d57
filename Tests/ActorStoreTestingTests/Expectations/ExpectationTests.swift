import ActorStore
import ActorStoreTesting
import Testing

/// Expectations wait for events, and say what they last saw.
@Suite struct ExpectationTests {
  private struct Failed: Error, Equatable {}

  private struct Account: Equatable, Sendable {
    var balance = 0
    var owner: String?
  }

  /// Whatever the schedule: each comes, and none is polled for, since virtual time stands still.
  @Test func whatIsExpectedComes() throws {
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
      try await expectEqual(other.values(of: \.owner), "Ann")
      try await expectTrue(isRich)
      try await expectGreaterThan(total, 54)
      try await expectGreaterThanOrEqual(total, 55)
      try await expectLessThan(total, 56)
      try await expectLessThanOrEqual(total, 55)
      try await expectNotEqual(total, 0)
      let owner = try await expectNotNil(other.values(of: \.owner))
      let state = try await expect(one) { $0.balance == 5 }
      try await expectNil(one.values(of: \.owner))
      try await expectFalse(other.values(of: \.owner.isNil))
      await work.value
      try Simulation.expect(owner == "Ann" && state?.balance == 5, "\(String(describing: owner))")
      try Simulation.expect(clock.now.offset == .zero, "time went by")
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

  /// A stream keeps what has yet to be taken: nothing is missed between two expectations.
  @Test func oneAfterTheOther() async throws {
    let store = Store(Account())
    let balances = store.values(of: \.balance)
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

  // MARK: What does not come

  private func problem(_ body: @escaping @Sendable () async throws -> Void) -> String {
    do {
      try Simulation.explore(schedules: 5, body: body)
      return "nothing"
    } catch {
      return "\(error.error.map { "\($0)" } ?? "\(error)")"
    }
  }

  /// The deadline holds for what does not heed its cancellation.
  @Test func anExpressionThatDoesNotReturn() {
    let problem = problem {
      let gate = AsyncStream<Void>.makeStream()
      let value = StoreExpression(of: Store(0)) {
        await Simulation.task { for await _ in gate.stream {} }.value
        return 1
      }
      try await expectEqual(value, 1, within: .seconds(60))
    }
    #expect(problem.hasPrefix("Not equal to 1; after 60.0 seconds, and there was no value."))
  }

  @Test func theTimeIsUp() {
    let text = problem {
      let store = Store(Account(balance: 1))
      try await expectEqual(store, Account(balance: 2), within: .seconds(60))
    }
    #expect(text.contains("Not equal to Account(balance: 2, owner: nil); after 60.0 seconds, and the last was:"))
    #expect(text.contains("-   balance: 2,\n+   balance: 1,"))
    #expect(text.contains("ExpectationTests.swift:\(#line - 4)"))
  }

  @Test func noMoreIsToCome() {
    let text = problem {
      let store = Store(1)
      store.close()
      try await expectGreaterThan(store, 2, within: .seconds(60))
    }
    #expect(text.contains("Not greater than 2; no more is to come, and the last was: 1"))
    let ofExpression = problem {
      let store = Store(1)
      store.close()
      try await expectTrue(StoreExpression(of: store) { await store.state == 2 })
    }
    #expect(ofExpression.contains("Not true; no more is to come, and the last was: false"))
  }

  @Test func nothingWasThrownOrSomethingWas() {
    #expect(
      problem { try await expectThrowsError(StoreExpression(of: Store(0)) { 1 }) }.contains("and the last was: 1"))
    #expect(
      problem { try await expectNoThrow(StoreExpression<Int>(of: Store(0)) { throw Failed() }) }
        .contains("and the last threw Failed()"))
  }

  /// Outside of simulations it is reported, at the line of the call, and the test goes on.
  @Test func isReported() async throws {
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
