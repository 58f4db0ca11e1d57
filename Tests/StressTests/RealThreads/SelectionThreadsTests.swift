import TestSize
import Testing

@testable import ActorStore

/// Watches random selections in every way on real threads.
@Suite(.serialized) struct SelectionThreadsTests {
  @Test(.namedIfItHangs) func selections() async throws {
    for seed in 0..<UInt64(TestSize.count(20, few: 8)) {
      try await RandomThreads.run(seed: seed) {
        let store = Store(Sheet(), guards: [SelectionWorkload.Refusing()], onUnhandledFailure: { _ in })
        let problems = await SelectionWorkload(on: store, seed: seed, operations: 100).run()
        #expect(problems == [], "seed \(seed)")
        // The consumers are gone.
        #expect(store.hub.isEmpty && store.hub.selections.counts.selections == 0, "seed \(seed)")
      }
    }
  }
}
