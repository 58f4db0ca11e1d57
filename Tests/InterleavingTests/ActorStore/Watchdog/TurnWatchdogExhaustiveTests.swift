import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// Explores every interleaving of turns, sweeps, and the release of stores.
@Suite struct TurnWatchdogExhaustiveTests {
  /// Sweeps that are never late find every turn that is held for more than twice the limit.
  @Test func punctualSweepsOverOneStore() {
    expectSound(VirtualTurns(stores: 1, turns: TestSize.length(3, short: 2), until: 8, isPunctual: true))
  }

  @Test func punctualSweepsOverTwoStores() {
    expectSound(VirtualTurns(stores: 2, turns: 2, until: TestSize.length(8, short: 5), isPunctual: true))
  }

  /// Sweeps that are late or take long report nothing wrong.
  @Test func lateSweepsOverOneStore() {
    expectSound(VirtualTurns(stores: 1, turns: 2, until: TestSize.length(8, short: 6), isPunctual: false))
  }

  @Test func lateSweepsOverTwoStores() {
    expectSound(VirtualTurns(stores: 2, turns: TestSize.isComplete ? 2 : 1, until: 6, isPunctual: false))
  }

  private func expectSound(_ turns: VirtualTurns) {
    let exploration = Interleavings(of: turns)
    #expect(exploration.problem?.description == nil)
    #expect(exploration.states > 1_000)
  }
}
