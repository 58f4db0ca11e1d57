// Guards and middleware that do not declare their state. The compiler must report errors for them. With other shapes of
// the protocols, it crashes instead (Swift 6.3.1: "Unhandled coercion").
import ActorStore

struct Pass: Middleware {
  func run<A: Action<Int>>(
    _ action: A, on state: inout Int, next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    try await next(action, &state)
  }
}

struct SynchronousPass: SynchronousMiddleware {
  func run<A: Action<Int>>(
    _ action: A, on state: inout Int, next: inout Next<A>
  ) async throws(Stop<A.Failure>) -> A.Output {
    try await next(action, &state)
  }

  func run<A: Action<Int>>(
    _ action: A, on state: inout Int, next: inout SynchronousNext<A>
  ) throws(Stop<A.Failure>) -> A.Output {
    try next(action, &state)
  }
}

struct Idle: Guard {}
struct Groups: ReportGuard {
  func didEnd<G: Sendable>(group: G, report: GroupReport) {}
}

let stores = [
  Store(0, middleware: [Pass()]), Store(0, middleware: [SynchronousPass()]), Store(0, guards: [Idle()]),
  Store(0, guards: [Groups()]),
]
