import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// Explores every interleaving of commits and of threads that join and leave selections (P11, P13, P14).
@Suite struct SharedSelectionsExhaustiveTests {
  private typealias Joiner = VirtualSelections.Joiner

  @Test(arguments: VirtualSelections.inputs.indices, [false, true])
  func oneThread(_ selection: Int, _ isReader: Bool) {
    for leaves in [false, true] {
      let joiner = Joiner(selection: selection, isReader: isReader, leaves: leaves)
      expectSound([joiner], [.draft, .edit, .vetoedEdit])
    }
  }

  @Test func twoThreads() {
    expectSound([Joiner(selection: 0), Joiner(selection: 0, leaves: true)], [.draft, .draft])
    expectSound([Joiner(selection: 0), Joiner(selection: 0, isReader: true, leaves: true)], [.draft, .draft])
    expectSound([Joiner(selection: 0), Joiner(selection: 0)], [.edit, .vetoedEdit])
    expectSound([Joiner(selection: 2, leaves: true), Joiner(selection: 0)], [.vetoedEdit, .edit])
    expectSound([Joiner(selection: 2), Joiner(selection: 1, isReader: true)], [.draft])
    expectSound([Joiner(selection: 1, isReader: true), Joiner(selection: 1, isReader: true)], [.draft])
  }

  @Test(.largeSearch) func inputs() {
    expectSound([Joiner(selection: 2), Joiner(selection: 0, isReader: true)], [.draft, .draft])
    expectSound([Joiner(selection: 4), Joiner(selection: 3, isReader: true)], [.draft, .draft])
    expectSound([Joiner(selection: 3, isReader: true), Joiner(selection: 0, leaves: true)], [.draft])
  }

  @Test(.largeSearch) func threeThreads() {
    expectSound(
      [Joiner(selection: 1), Joiner(selection: 1, leaves: true), Joiner(selection: 1, isReader: true)], [.draft])
  }

  /// The rules find each mistake of a caller.
  @Test(arguments: VirtualSelections.Mistake.allCases) func mistakesAreFound(_ mistake: VirtualSelections.Mistake) {
    let joiners =
      switch mistake {
      case .startsStreamsOfDueValues, .publishesWhileHelping, .joinsAtAnEarlierRevision:
        [Joiner(selection: 0), Joiner(selection: 0)]
      case .replacesUncomparedValues: [Joiner(selection: 1), Joiner(selection: 1)]
      case .forgetsNewSelections: [Joiner(selection: 0), Joiner(selection: 1)]
      }
    let commits: [VirtualSelections.Commit] = [.draft, .draft]
    expectSound(joiners, commits)
    #expect(Interleavings(of: VirtualSelections(joiners, commits, mistake)).problem != nil)
  }

  private func expectSound(_ joiners: [Joiner], _ commits: [VirtualSelections.Commit]) {
    let exploration = Interleavings(of: VirtualSelections(joiners, commits))
    #expect(exploration.problem?.description == nil, "\(joiners.map { ($0.selection, $0.isReader) }), \(commits)")
    #expect(exploration.count > 1)
  }
}
