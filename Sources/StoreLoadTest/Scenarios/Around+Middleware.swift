import ActorStore

/// The cost of middleware around an action.
extension Around {
  static let middleware = [
    Case(name: "added by a synchronous middleware", limit: .ratio(1.2)) { bench in
      await added(bench, to: Store(Counter(), middleware: [PassingMiddleware()], name: "synchronous middleware"))
    },
    Case(name: "added by an asynchronous middleware") { bench in
      let store = Store(Counter(), middleware: [PassingLater()], name: "asynchronous middleware")
      return await added(bench, to: store, actions: IncrementLater(task: 0))
    },
    Case(name: "added by retry once") { bench in
      let store = Store(Counter(), middleware: [RetryOnce()], name: "retry")
      return await added(bench, to: store, actions: FailOnce(), comparedTo: IncrementLater(task: 0))
    },
  ]

  /// A middleware that does nothing and may suspend.
  private struct PassingLater: Middleware {
    typealias State = Counter

    func run<A: Action<Counter>>(
      _ action: A,
      on state: inout Counter,
      next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      try await next(action, &state)
    }
  }

  private struct RetryOnce: Middleware {
    typealias State = Counter

    func run<A: Action<Counter>>(
      _ action: A,
      on state: inout Counter,
      next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      do throws(Stop<A.Failure>) {
        return try await next(action, &state)
      } catch {
        return try await next(action, &state)
      }
    }
  }

  private struct Failed: Error {}

  /// Fails in the first attempt of each dispatch, which makes the total number of attempts odd.
  private struct FailOnce: Action {
    let attempts = Tally()

    func run(_ state: inout Counter) async throws(Failed) {
      state.count &+= 1
      attempts.add(1)
      if !attempts.total.isMultiple(of: 2) { throw Failed() }
    }
  }

  @concurrent
  private static func actions<A: Action<Counter>>(_ store: Store<Counter>, _ action: A, _ count: Int) async {
    for step in 0..<count {
      _ = try? await store.dispatch(action)
      _ = work(step, 1)
    }
  }

  /// Like `added(_:to:check:)`, for asynchronous actions.
  private static func added<A: Action<Counter>, B: Action<Counter>>(
    _ bench: Bench,
    to followed: Store<Counter>,
    actions action: A,
    comparedTo plainAction: B
  ) async -> Figures {
    let (bare, plain, commits) = (BareCounter(), Store(Counter()), Tally())
    let figures = await bench.compare(to: BareCounter.name) { count in
      await nanoseconds { await bareCalls(bare, count) }
    } subject: { count in
      commits.add(count)
      let without = await nanoseconds { await actions(plain, plainAction, count) }
      return await nanoseconds { await actions(followed, action, count) } - without
    }
    bench.expect("count", await followed.state.count, commits.total)
    return figures
  }

  private static func added<A: Action<Counter>>(
    _ bench: Bench,
    to followed: Store<Counter>,
    actions action: A
  ) async -> Figures {
    await added(bench, to: followed, actions: action, comparedTo: action)
  }
}
