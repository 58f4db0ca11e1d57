import ActorStore

/// The library's store with a middleware that refuses pieces of work, and one that retries them.
struct RetryingActorStore: RetryingSubject {
  private let store = Store([Int](), middleware: [Refuse(), Retry()], onUnhandledFailure: { _ in })

  func run(_ piece: RetriedPiece, attempts: Int) async -> RetriedPiece.End {
    do {
      return switch try await store.dispatch(Run(store: store, piece: piece, attempts: attempts)) {
      case .committed: .committed
      case .vetoed: .vetoed
      case .cancelled, .closed, .deferred: .notBegun
      }
    } catch {
      return .failed
    }
  }

  var entries: [Int] {
    get async { await store.state }
  }

  private struct Run: Action {
    let store: Store<[Int]>
    let piece: RetriedPiece
    let attempts: Int

    func run(_ entries: inout [Int]) async throws(RetriedPiece.Failed) {
      try await piece.attempt(&entries) { entry in await store.dispatch { $0.append(entry) } }
    }
  }

  private struct Refuse: SynchronousMiddleware {
    typealias State = [Int]

    func run<A: Action<[Int]>>(
      _ action: A,
      on entries: inout [Int],
      next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      if (action as? Run)?.piece.isRefused == true { throw .vetoed(Veto("refused")) }
      return try await next(action, &entries)
    }

    func run<A: Action<[Int]>>(
      _ action: A,
      on entries: inout [Int],
      next: inout SynchronousNext<A>
    ) throws(Stop<A.Failure>) -> A.Output {
      try next(action, &entries)
    }
  }

  private struct Retry: Middleware {
    typealias State = [Int]

    func run<A: Action<[Int]>>(
      _ action: A,
      on entries: inout [Int],
      next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      for _ in 1..<max(2, (action as? Run)?.attempts ?? 2) {
        do throws(Stop<A.Failure>) {
          return try await next(action, &entries)
        } catch {
          if Task.isCancelled { throw error }
        }
      }
      return try await next(action, &entries)
    }
  }
}
