import ActorStore
import TestSize
import Testing

/// Misuse stops the program with a message, also in release builds.
@Suite struct MisuseTests {
  private struct Idle: Guard { typealias State = Log }

  @Test func aWatchdogWithoutALimit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TurnWatchdog(limit: .zero)
    }
    #expect(errorText(of: result).contains("ActorStore: the limit of a watchdog is 0.0 seconds"))
  }

  @Test func tooManyGuards() async {
    _ = Store(Log(), guards: Array(repeating: Idle(), count: 100))
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store(Log(), guards: Array(repeating: Idle(), count: 100_000))
    }
    #expect(errorText(of: result).contains("ActorStore: a store has 100000 guards, but can have at most 100."))
  }

  @Test func tooMuchMiddleware() async {
    let store = Store(Log(), middleware: Array(repeating: Suspending(), count: 100))
    #expect(await store.dispatch(Append(1)).isCommitted)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store(Log(), middleware: Array(repeating: Suspending(), count: 100_000))
    }
    #expect(errorText(of: result).contains("ActorStore: a store has 100000 middleware, but can have at most 100."))
  }

  @Test func callingNextTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Store(Log(), middleware: [Misuser(mistake: .callsTwice)]).dispatch(Append(1))
    }
    #expect(errorText(of: result).contains("called `next` again after it had returned"))
  }

  @Test func aBufferWithoutRoom() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Store(Log()).states(bufferingPolicy: .bufferingNewest(0))
    }
    #expect(errorText(of: result).contains("ActorStore: bufferingPolicy .bufferingNewest(0) would drop every element"))
  }
}
