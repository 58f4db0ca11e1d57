import ActorStoreTesting
import Testing

/// Runs a body under many schedules; its result is what went wrong, nil if nothing did.
func explore(
  schedules: Int = 300,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async -> String?
) {
  do {
    try Simulation.explore(schedules: schedules) {
      if let problem = await body() { throw Problem(description: problem) }
    }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}

private struct Problem: Error, CustomStringConvertible {
  let description: String
}
