import TestSize
import Testing

@testable import ActorStore

/// A store finds out once for each type how its guards and its middleware take part.
@Suite struct GuardKindTests {
  private struct Refusal: Guard {
    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? { Veto("no") }
  }

  private struct Listener: ReportGuard {
    func didEnd<A: Action<Log>>(_ action: A, report: ActionReport<Log>) {}
  }

  /// A wrapper that takes part in the turn only if its content does.
  fileprivate struct Wrapper<Content: ReportGuard>: ReportGuard {
    typealias State = Content.State
    let content: Content

    func didEnd<A: Action<State>>(_ action: A, report: ActionReport<State>) {
      content.didEnd(action, report: report)
    }
  }

  @Test func aConditionalGuardTakesPartIfItIsOne() async {
    let open = Store(Log(), guards: [Wrapper(content: Listener())])
    let closed = Store(Log(), guards: [Wrapper(content: Refusal())])
    for _ in 0..<2 {
      #expect(await open.dispatch(Append(1)).isCommitted)
      #expect(await !closed.dispatch(Append(1)).isCommitted)
    }
  }

  /// One type is both a guard and a middleware.
  private struct Both: Guard, SynchronousMiddleware {
    typealias State = Log

    func didUpdate<A: Action<Log>>(_ action: A, old: Log?, new: Log) { #expect(new.entries.last == -1) }

    func run<A: Action<Log>>(
      _ action: A, on state: inout Log, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      defer { state.entries.append(-1) }
      return try await next(action, &state)
    }

    func run<A: Action<Log>>(
      _ action: A, on state: inout Log, next: inout SynchronousNext<A>
    ) throws(Stop<A.Failure>) -> A.Output {
      defer { state.entries.append(-1) }
      return try next(action, &state)
    }
  }

  @Test func oneTypeCanBeAGuardAndAMiddleware() async {
    let store = Store(Log(), guards: [Both()], middleware: [Both()])
    await store.dispatch(Append(1))
    await store.dispatch(SlowAppend(2))
    #expect(await store.state.entries == [1, -1, 2, -1])
  }

  private struct New<Number>: Guard {
    func veto<A: Action<Log>>(_ action: A, state: Log) -> Veto? { Veto("no") }
  }

  /// Many threads create the first stores with a guard at the same time.
  @Test(.namedIfItHangs) func manyThreadsCreateStores() async {
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            let stores = [
              Store(Log(), guards: [New<Int>()]), Store(Log(), guards: [Listener(), New<String>()]),
              Store(Log(), guards: [ActionLogger(to: LogSink { _ in }), New<Bool>()]),
            ]
            for store in stores { #expect(await !store.dispatch(Append(1)).isCommitted) }
          }
        }
      }
    }
  }
}

extension GuardKindTests.Wrapper: Guard where Content: Guard {
  func veto<A: Action<State>>(_ action: A, state: State) -> Veto? { content.veto(action, state: state) }
}
