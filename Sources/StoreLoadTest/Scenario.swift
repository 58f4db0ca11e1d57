/// One case of the load test: what is timed or counted, and what must hold meanwhile.
struct Scenario {
  let name: String
  let run: @Sendable (Context) async -> Row

  /// Some that belong together, as they are asked for.
  struct Group {
    let name: String
    let scenarios: [Scenario]
    /// Whether it runs only when it is asked for.
    var isOptional = false
  }

  static let groups =
    [
      Group(name: "dispatch", scenarios: Dispatch.all),
      Group(name: "growth", scenarios: Growth.all),
      Group(name: "suspending", scenarios: Suspending.all),
      Group(name: "send", scenarios: Sending.all),
      Group(name: "cancel", scenarios: Cancelling.all),
      Group(name: "deferring", scenarios: Deferring.all),
      Group(name: "nested", scenarios: Nested.all),
      Group(name: "guarded", scenarios: Guarded.all),
      Group(name: "fanout", scenarios: Fanout.all),
      Group(name: "churn", scenarios: Churn.all),
      Group(name: "soak", scenarios: Soak.all),
      Group(name: "memory", scenarios: Memory.all),
      Group(name: "crowd", scenarios: Crowd.all, isOptional: true),
      Group(name: "allocations", scenarios: Allocations.all),
    ] + ofTheTestingLibrary

  #if os(Linux)
    private static let ofTheTestingLibrary = [
      Group(name: "simulating", scenarios: Simulating.all),
      Group(name: "checking", scenarios: Checking.all),
    ]
  #else
    private static let ofTheTestingLibrary: [Group] = []
  #endif
}
