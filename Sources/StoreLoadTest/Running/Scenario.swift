/// One case of the load test, which measures a load and checks its results.
struct Case: Sendable {
  let name: String
  /// The case's share of the time, relative to other cases.
  var weight = 1.0
  /// The limit of its main figure.
  var limit: Limit?
  let run: @Sendable (Bench) async -> Figures
}

/// A group of related cases, which users select by its name.
struct Scenario: Sendable {
  let name: String
  /// A one-line description.
  let summary: String
  /// The sizes that the scenario supports.
  var sizes: Set<OptionParser.Size> = []
  /// Whether the scenario runs only if the command line names it.
  var isOptional = false
  let cases: @Sendable (Options) -> [Case]
}
