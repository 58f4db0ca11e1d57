import ActorStoreTesting
import TestSize
import Testing

/// Runs a body under many schedules, and records an issue if it fails.
///
/// The body returns a description of the problem, or `nil` if there is none.
func explore(
  schedules: Int = TestSize.count(300, few: 100),
  timers: Simulation.Timers = .race(upTo: 1),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async -> String?
) {
  do {
    try Simulation.explore(schedules: schedules, timers: timers) {
      if let problem = await body() { throw Problem(description: problem) }
    }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}

private struct Problem: Error, CustomStringConvertible {
  let description: String
}
