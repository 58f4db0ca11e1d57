import ActorStoreTesting
import Testing

@testable import ActorStore

/// A simulation leaves nothing behind, regardless of how many schedules it runs.
@Suite struct NothingLeftTests {
  private struct WeakLine: Sendable {
    weak var line: TurnQueue?
  }

  @Test func storesAreReleased() throws {
    let lines = Witness<WeakLine>()
    try Simulation.explore(schedules: 5) {
      let store = Store(0)
      lines.saw(WeakLine(line: store.queue))
      await store.dispatch { $0 += 1 }
    }
    #expect(!lines.all.isEmpty)
    #expect(lines.all.allSatisfy { $0.line == nil })
  }
}
