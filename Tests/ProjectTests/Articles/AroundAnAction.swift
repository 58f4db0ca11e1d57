import ActorStore
import ActorStoreTesting

/// The examples in the article "Around an action".
struct AroundAnAction {
  struct Shop: Equatable, Sendable {
    var isOpen = true
    var items: [String] = []
  }

  struct Open: Mutation {
    func run(_ shop: inout Shop) { shop.isOpen = true }
  }

  struct Close: Mutation {
    func run(_ shop: inout Shop) { shop.isOpen = false }
  }

  struct SoldOut: Error {}

  struct Sell: Mutation {
    func run(_ shop: inout Shop) throws(SoldOut) {
      if shop.items.popLast() == nil { throw SoldOut() }
    }
  }

  struct SellMany: Mutation {
    let count: Int
    func run(_ shop: inout Shop) { shop.items.removeLast(min(count, shop.items.count)) }
  }

  struct Audit: Equatable, Sendable {
    var lines: [String] = []
  }

  struct Bank: Equatable, Sendable {}

  struct Transfer: Action {
    let clock: any Clock<Duration>

    func run(_ bank: inout Bank) async { try? await clock.sleep(for: .seconds(3)) }
  }

  /// Refuses every action while the shop is closed, except the one that opens it.
  struct OpeningHours: Guard {
    func veto<A: Action<Shop>>(_ action: A, state: Shop) -> Veto? {
      state.isOpen || action is Open ? nil : Veto("the shop is closed")
    }
  }

  /// Notes each call that failed or was refused.
  struct ProblemReporter: ReportGuard {
    let note: @Sendable (String) -> Void

    func didEnd<A: Action<Shop>>(_ action: A, report: ActionReport<Shop>) {
      switch report.outcome {
      case .failed(let error): note("\(A.self) failed: \(error)")
      case .vetoed(let veto): note("\(A.self) was refused: \(veto.reason)")
      default: break
      }
    }
  }

  /// Adds a line to another store for each call.
  struct AuditTrail: ReportGuard {
    let audit: Store<Audit>

    func didEnd<A: Action<Shop>>(_ action: A, report: ActionReport<Shop>) {
      let line = "\(A.self) \(report.outcome.kind)"
      audit.send { $0.lines.append(line) }
    }
  }

  /// Runs an action again if it fails.
  struct Retry<State: Sendable>: Middleware {
    let attempts: Int

    func run<A: Action<State>>(
      _ action: A, on state: inout State, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      for _ in 1..<attempts {
        do throws(Stop<A.Failure>) {
          return try await next(action, &state)
        } catch {
          if case .vetoed = error { throw error }
          if Task.isCancelled { throw error }
        }
      }
      return try await next(action, &state)
    }
  }

  /// Sells at most ten items at once.
  struct SellLimit: SynchronousMiddleware {
    typealias State = Shop

    func run<A: Action<Shop>>(
      _ action: A, on shop: inout Shop, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      try await next(try limited(action), &shop)
    }

    func run<A: Action<Shop>>(
      _ action: A, on shop: inout Shop, next: inout SynchronousNext<A>
    ) throws(Stop<A.Failure>) -> A.Output {
      try next(try limited(action), &shop)
    }

    private func limited<A: Action<Shop>>(_ action: A) throws(Stop<A.Failure>) -> A {
      guard let sale = action as? SellMany else { return action }
      if sale.count < 0 { throw .vetoed(Veto("the count is negative")) }
      return SellMany(count: min(sale.count, 10)) as? A ?? action
    }
  }

  enum Span {
    @TaskLocal static var name = "none"
  }

  /// Names the current span after the action.
  struct Spans<State: Sendable>: SynchronousMiddleware {
    func run<A: Action<State>>(
      _ action: A, on state: inout State, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      let result: Result<A.Output, Stop<A.Failure>> = await Span.$name.withValue("\(A.self)") {
        do throws(Stop<A.Failure>) { return .success(try await next(action, &state)) } catch { return .failure(error) }
      }
      return try result.get()
    }

    func run<A: Action<State>>(
      _ action: A, on state: inout State, next: inout SynchronousNext<A>
    ) throws(Stop<A.Failure>) -> A.Output {
      let result: Result<A.Output, Stop<A.Failure>> = Span.$name.withValue("\(A.self)") {
        do throws(Stop<A.Failure>) { return .success(try next(action, &state)) } catch { return .failure(error) }
      }
      return try result.get()
    }
  }

  /// Runs the examples of middleware, and returns the span of an action, the number of items left, and the refusal.
  func middleware() async -> (span: String?, left: Int, refusal: Veto?) {
    struct SeeSpan: Action {
      func run(_ shop: inout Shop) async -> String { Span.name }
    }
    let items = Array(repeating: "tea", count: 12)
    let store = Store(Shop(items: items), middleware: [Spans(), SellLimit()])
    await store.dispatch(SellMany(count: 20))
    let refused = await store.dispatch(SellMany(count: -1))
    guard case .vetoed(let veto) = refused else { return (nil, 0, nil) }
    return (await store.dispatch(SeeSpan()).output, await store.state.items.count, veto)
  }

  /// Runs the example of a retry, and returns the number of attempts.
  func retries() async -> Int {
    struct Order: Action {
      let attempt: @Sendable () -> Void
      func run(_ shop: inout Shop) async throws(SoldOut) {
        attempt()
        throw SoldOut()
      }
    }
    let (attempts, attempt) = AsyncStream<Void>.makeStream()

    let store = Store(Shop(), middleware: [Retry(attempts: 3)])

    _ = try? await store.dispatch(Order { attempt.yield() })
    attempt.finish()
    return await attempts.reduce(0) { count, _ in count + 1 }
  }

  /// Runs the example of guards, and returns the notes.
  func guards() async -> [String] {
    let (notes, note) = AsyncStream<String>.makeStream()
    @Sendable func print(_ line: String) { note.yield(line) }

    let store = Store(Shop(), guards: [OpeningHours(), ProblemReporter { print($0) }])

    await store.dispatch(Close())
    _ = try? await store.dispatch(Sell())
    await store.dispatch(Open())
    _ = try? await store.dispatch(Sell())
    note.finish()
    return await notes.reduce(into: []) { $0.append($1) }
  }

  /// Runs the example of a guard that sends, and returns its lines.
  func trail() async throws -> [String] {
    let audit = Store(Audit())
    let store = Store(Shop(items: ["tea"]), guards: [AuditTrail(audit: audit)])
    try await store.dispatch(Sell())
    await store.dispatch(Close())
    try await audit.closeAndDrain()
    return await audit.state.lines
  }

  /// Runs the example of a watchdog in a simulation, and returns what it prints.
  func turns() async throws -> [String] {
    let (lines, line) = AsyncStream<String>.makeStream()
    @Sendable func print(_ text: String) { line.yield(text) }
    let clock = SimulationClock()

    let watchdog = TurnWatchdog(limit: .seconds(1), clock: clock) { report in
      print(report.description)
      if case .unseen = report.wait { print("\(report.action) computes, or waits for something outside the stores") }
    }
    let shop = Store(Shop(), guards: [watchdog.makeGuard()], name: "shop")
    let bank = Store(Bank(), guards: [watchdog.makeGuard()], name: "bank")

    let transfer = bank.send(Transfer(clock: clock))
    await shop.dispatch(label: "pay") { _ in _ = await transfer.outcome }
    try await clock.sleep(for: .seconds(2))
    line.finish()
    return await lines.reduce(into: []) { $0.append($1) }
  }

  /// Runs the example of transitions, and returns the history.
  func history() async throws -> [String] {
    let store = Store(Shop(items: ["tea"]))

    let transitions = store.transitions()

    try await store.dispatch(Sell())
    await store.dispatch(Close())
    store.close()
    return await history(of: transitions)
  }

  func history(of transitions: some AsyncSequence<Transition<Shop>, Never>) async -> [String] {
    var history: [String] = []
    for await transition in transitions {
      guard let action = transition.action else { continue }  // The first element.
      history.append("\(transition.revision): \(type(of: action))")
    }
    return history
  }
}
