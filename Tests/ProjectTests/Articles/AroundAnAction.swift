import ActorStore

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

  struct Audit: Equatable, Sendable {
    var lines: [String] = []
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

  /// Runs the example of transitions, and returns the history.
  func history() async throws -> [String] {
    let store = Store(Shop(items: ["tea"]))
    var history: [String] = []

    let transitions = store.transitions()

    try await store.dispatch(Sell())
    await store.dispatch(Close())
    store.close()

    for await transition in transitions {
      guard let action = transition.action else { continue }  // The first element.
      history.append("\(transition.revision): \(type(of: action))")
    }
    return history
  }
}
