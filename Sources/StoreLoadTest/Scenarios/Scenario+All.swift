extension Scenario {
  static let all =
    [
      Dispatch.scenario, Alternatives.scenario, Guarded.scenario, Around.scenario, Sending.scenario,
      Suspending.scenario,
      Ordering.scenario, Priorities.scenario, Nested.scenario, Cancelling.scenario, Growth.scenario, Fanout.scenario,
      Churn.scenario,
      Soak.scenario, Stores.scenario, Memory.scenario, Crowd.scenario, Children.scenario, Events.scenario,
      Components.scenario, Histories.scenario,
      AtomGraphs.scenario, Chaos.scenario,
    ] + ofTheTestingLibrary + Planted.all

  #if os(Linux)
    private static let ofTheTestingLibrary = [Simulating.scenario, Checking.scenario]
  #else
    private static let ofTheTestingLibrary: [Scenario] = []
  #endif
}
