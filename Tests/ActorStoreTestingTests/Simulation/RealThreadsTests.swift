import ActorStore
import ActorStoreTesting
import TestSize
import Testing

/// A complete search finds every result that a random body produces on real threads.
@Suite struct RealThreadsTests {
  /// Bodies whose tasks share only stores and atoms, and such bodies whose tasks are canceled.
  ///
  /// An access to a lock is no point, and an actor processes several calls in one step.
  @Test(arguments: [false, true]) func showNothingElse(cancelsAll: Bool) async throws {
    var (compared, seen) = (0, 0)
    var seed: UInt64 = 0
    while compared < TestSize.length(10, short: 3) {
      let body = RandomBody(seed, cancelsAll: cancelsAll)
      seed += 1
      let results = Witness<[[Int]]>()
      let search = try Simulation.explore(.exhaustive(), schedules: TestSize.length(1_000, short: 300)) {
        results.saw(await body.run())
      }
      // A body with more schedules is not small.
      guard search.isComplete else { continue }
      let expected = Set(results.all)
      var found: Set<[[Int]]> = []
      for _ in 0..<TestSize.length(5_000, short: 1_000) { found.insert(await body.run(isOnThreads: true)) }
      #expect(found.isSubset(of: expected), "seed \(seed - 1): \(body)")
      compared += 1
      seen += found.count
    }
    // On two threads, some bodies have several results.
    #expect(seen > 0)
  }
}
