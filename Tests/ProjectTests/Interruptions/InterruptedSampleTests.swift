import ActorStoreTesting
import Testing

/// Each sample that awaits keeps its claim, and leaves nothing behind, if it is canceled, closed, or refused.
///
/// Other samples have tests of their own, or nothing to interrupt:
/// - `follow` in `ServingRequests` has a test for each of its ends in `ExampleTests`.
/// - The quick start, the overviews, and the tests in articles own their stores, and check or print each result.
/// - The samples of logging, metrics, and a swapped store claim nothing after their dispatches.
/// - The samples of deadlocks and of a ticket that is sold twice are wrong on purpose.
@Suite struct InterruptedSampleTests {
  @Test(arguments: InterruptedSample.all, Interruption.allCases)
  func keepsItsClaim(_ sample: InterruptedSample, in interruption: Interruption) throws {
    try sample.explore(interruption)
  }

  @Test(arguments: InterruptedSample.loops, [Interruption.cancellation, .closing])
  func aLoopEndsWithItsTaskAndItsStore(_ sample: InterruptedSample, with end: Interruption) throws {
    try sample.explore(end)
  }

  @Test(arguments: InterruptedSample.loopsOfATask) func aLoopEndsWithItsTask(_ sample: InterruptedSample) throws {
    try sample.explore(.cancellation)
  }

  /// The first test can fail.
  @Test(arguments: Interruption.allCases) func findsADiscardedOutcome(in interruption: Interruption) throws {
    let sample = InterruptedSample.carelessTransfer
    if interruption == .none { return try sample.explore(interruption) }
    #expect(throws: Simulation.Failure.self) { try sample.explore(interruption) }
  }
}
