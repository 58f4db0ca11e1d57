import ActorStoreTesting
import Testing

@testable import ActorStore

/// Explores every interleaving of the calls that two or three callers make to a logger.
@Suite struct RecordQueueExhaustiveTests {
  @Test func commitsOfTwoCallers() {
    expectSound(
      VirtualReporters([[.commit(1), .commit(3), .after(3)], [.commit(2), .after(2), .commit(4), .after(4)]]))
  }

  @Test func commitsOfThreeCallers() {
    expectSound(VirtualReporters([[.commit(1), .commit(4)], [.commit(2), .commit(5)], [.commit(3), .after(3)]]))
  }

  @Test func filteredCommits() {
    expectSound(VirtualReporters([[.filtered(1), .commit(4)], [.commit(2), .after(4)], [.filtered(3), .after(1)]]))
  }

  @Test func membersPrecedeTheirTransaction() {
    let transaction: [VirtualReporters.Report] = [.member(11, of: 7), .member(12, of: 7), .commit(1, ticket: 7)]
    expectSound(VirtualReporters([transaction, [.commit(2), .after(2)], [.commit(3)]]))
  }

  @Test func droppedRecordsAreCounted() {
    for backlog in 1...2 {
      expectSound(
        VirtualReporters([[.commit(1), .commit(4)], [.commit(2), .after(2)], [.commit(3)]], backlog: backlog))
    }
  }

  /// With a limit of one, a gap is skipped as soon as two commits wait for it.
  @Test func skippedGaps() {
    expectSound(
      VirtualReporters([[.commit(1), .after(3)], [.filtered(2), .commit(5)], [.commit(3), .commit(4)]], gap: 1))
  }

  private func expectSound(_ reporters: VirtualReporters) {
    let exploration = Interleavings(of: reporters)
    #expect(exploration.problem?.description == nil)
    #expect(exploration.count > 500)
  }
}
