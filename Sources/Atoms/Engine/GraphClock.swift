/// The clock of a graph, with times since the creation of the graph.
///
/// Call it without a lock, because it can be the user's.
struct GraphClock: Sendable {
  let base: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let wait: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    base = clock
    elapsed = { start.duration(to: clock.now) }
    wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  var now: Duration { elapsed() }

  /// Suspends until a time, unless it has passed.
  func sleep(until time: Duration) async throws {
    if time > now { try await wait(time) }
  }
}
