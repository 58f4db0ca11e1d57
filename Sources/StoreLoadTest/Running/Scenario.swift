/// One case of the load test: what is timed or counted, and what must hold meanwhile.
struct Case: Sendable {
  let name: String
  /// How much of the time it gets, beside others.
  var weight = 1.0
  let run: @Sendable (Bench) async -> Figures
}

/// Cases that belong together, as they are asked for.
struct Scenario: Sendable {
  let name: String
  /// What it is about, in one line.
  let summary: String
  /// Which sizes it heeds.
  var sizes: Set<OptionParser.Size> = []
  /// Whether it runs only when it is asked for.
  var isOptional = false
  let cases: @Sendable (Options) -> [Case]
}
