import Synchronization
import Testing

@testable import ActorStore

/// P20: Deferred actions of a failed attempt never run, and the others run after the commit, in order.
@Suite struct MiddlewareDeferredTests {
  /// Fails in some attempts, after dispatching an action that is deferred.
  private struct Attempt: Action {
    let store: Store<Log>
    let entry: Int
    let failures: MiddlewareTests.Failures

    func run(_ log: inout Log) async throws(Boom) {
      await store.dispatch(Append(entry + failures.count))
      if failures.next() { throw Boom() }
      log.entries.append(entry)
    }
  }

  private struct Reports: ReportGuard {
    let seen: Witness<String>
    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {
      if let append = action as? Append { seen.saw("\(append.entry) \(report.outcome.kind)") }
    }
  }

  private func store(_ middleware: [any Middleware<Log>], _ seen: Witness<String> = Witness()) -> Store<Log> {
    Store(Log(), guards: [Reports(seen: seen)], middleware: middleware, onUnhandledFailure: { _ in })
  }

  @Test func p20_deferredActionsOfAFailedAttemptNeverRun() async throws {
    let seen = Witness<String>()
    let store = store([Retrier(attempts: 3)], seen)
    let outcome = try await store.dispatch(Attempt(store: store, entry: 10, failures: .init(2)))
    #expect(outcome.isCommitted)
    try await store.closeAndDrain()
    #expect(await store.state.entries == [10, 12])
    while seen.all.count < 6 { await Task.yield() }
    let ends = ["10 deferred", "10 givenUp", "11 deferred", "11 givenUp", "12 deferred", "12 committed"]
    #expect(seen.all.sorted() == ends.sorted())
  }

  /// The inner middleware retries twice in each of two attempts of the outer one.
  @Test func p20_attemptsInsideAttempts() async throws {
    let store = store([Retrier(attempts: 2), Retrier(attempts: 2)])
    try await store.dispatch(Attempt(store: store, entry: 10, failures: .init(3)))
    try await store.closeAndDrain()
    #expect(await store.state.entries == [10, 13])
  }

  @Test func p20_attemptsOfMembers() async throws {
    let store = store([Retrier(attempts: 2)])
    try await store.transaction { transaction async throws in
      try await transaction.run(Attempt(store: store, entry: 10, failures: .init(1)))
      _ = try? await transaction.run(Attempt(store: store, entry: 20, failures: .init(2)))
      try await transaction.run(Attempt(store: store, entry: 30, failures: .init(0)))
    }
    try await store.closeAndDrain()
    #expect(await store.state.entries == [10, 30, 11, 30])
  }

  /// A task that outlives its attempt belongs to that attempt.
  @Test func p20_aLateCallOfAFailedAttempt() async throws {
    /// In its first attempt, starts a task and fails. In its second one, waits until the task has made its call.
    struct LateCaller: Action {
      let store: Store<Log>
      let mayCall: Gate
      let hasCalled: Gate
      let failures: MiddlewareTests.Failures

      func run(_ log: inout Log) async throws(Boom) {
        if failures.next() {
          _ = Task {
            await mayCall.wait()
            let outcome = await store.dispatch(Append(66))
            #expect(!outcome.isCommitted)
            hasCalled.open()
          }
          throw Boom()
        }
        await store.dispatch(Append(11))
        mayCall.open()
        await hasCalled.wait()
        log.entries.append(10)
      }
    }
    let seen = Witness<String>()
    for middleware: [any Middleware<Log>] in [[Retrier(attempts: 2)], [Retrier(attempts: 2), Suspending()]] {
      let store = store(middleware, seen)
      try await store.dispatch(
        LateCaller(store: store, mayCall: Gate(), hasCalled: Gate(), failures: .init(1)))
      try await store.closeAndDrain()
      #expect(await store.state.entries == [10, 11])
    }
  }

  /// What a middleware dispatches around `next` belongs to the action, not to an attempt.
  @Test func p20_whatAMiddlewareDispatches() async throws {
    final class Place: Sendable { let store = Locked<Weak<Store<Log>>>(Weak(nil)) }
    struct Follow: Middleware {
      typealias State = Log
      let place: Place
      let refuses: Bool
      func run<A: Action<Log>>(
        _ action: A, on log: inout Log, next: inout Next<A>
      ) async throws(Stop<A.Failure>) -> A.Output {
        guard action is SlowAppend || A.Failure.self == Boom.self, let store = place.store.withLock({ $0.object })
        else { return try await next(action, &log) }
        await store.dispatch(Append(70))
        if refuses { throw .vetoed(Veto("no")) }
        let output = try await next(action, &log)
        await store.dispatch(Append(71))
        return output
      }
    }
    for refuses in [false, true] {
      for members in [false, true] {
        let place = Place()
        let store = Store(Log(), middleware: [Follow(place: place, refuses: refuses)])
        place.store.withLock { $0 = Weak(store) }
        if members {
          await store.transaction { (transaction: inout Store<Log>.Transaction) async throws(Veto) in
            _ = try? await transaction.run(SlowAppend(1))
          }
        } else {
          await store.dispatch(SlowAppend(1))
        }
        await #expect(throws: Boom.self) { try await self.failing(store, refuses) }
        try await store.closeAndDrain()
        #expect(await store.state.entries == (refuses ? [] : [1, 70, 71]), "\(refuses) \(members)")
      }
    }
  }

  private func failing(_ store: Store<Log>, _ refuses: Bool) async throws {
    if try await !store.dispatch(FailHalfway()).isCommitted && refuses { throw Boom() }
  }

  @Test func p20_aFailureAfterNextGivesUpEverything() async throws {
    struct Late: Middleware {
      typealias State = Log
      func run<A: Action<Log>>(
        _ action: A, on log: inout Log, next: inout Next<A>
      ) async throws(Stop<A.Failure>) -> A.Output {
        let output = try await next(action, &log)
        if let error = Boom(code: 3) as? A.Failure { throw .failed(error) }
        return output
      }
    }
    let store = store([Late()])
    await #expect(throws: Boom(code: 3)) {
      try await store.dispatch(Attempt(store: store, entry: 10, failures: .init(0)))
    }
    try await store.closeAndDrain()
    #expect(await store.state == Log() && store.diagnostics.revision == 0)
  }

  @Test func p20_retriesUnderAnySchedule() {
    explore {
      let store = Store(Log(), middleware: [Retrier(attempts: 2)], onUnhandledFailure: { _ in })
      async let one = try? store.dispatch(Attempt(store: store, entry: 10, failures: .init(1)))
      async let two = try? store.dispatch(Attempt(store: store, entry: 20, failures: .init(2)))
      async let three = try? store.dispatch(Attempt(store: store, entry: 30, failures: .init(0)))
      _ = await (one, two, three)
      _ = try? await store.closeAndDrain()
      let entries = await store.state.entries
      return entries.sorted() == [10, 11, 30, 30] ? nil : "\(entries)"
    }
  }
}
