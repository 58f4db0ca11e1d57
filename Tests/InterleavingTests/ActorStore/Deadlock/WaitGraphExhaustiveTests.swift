import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// Explores every interleaving of the steps of waits across stores (P8).
///
/// Each wait ends. No wait is refused for a cycle that never existed. In a cycle of calls, exactly one call is refused.
@Suite struct WaitGraphExhaustiveTests {
  /// Tries every interleaving, or a sample of those of three waits if the tests do not have their full size.
  private func expectSound(
    _ waits: [(from: Int, to: Int)],
    refusals: Int? = nil,
    streams: Set<Int> = [],
    cancelled: Set<Int> = []
  ) {
    let waits = waits.enumerated().map {
      VirtualWait(from: $1.from, to: $1.to, isStream: streams.contains($0), canLeave: cancelled.contains($0))
    }
    let threads = VirtualWaits(waits, refusals: refusals)
    if waits.count > 2, !TestSize.isFull {
      #expect(threads.problemInSample == nil, "\(waits.map { ($0.from, $0.to) }), streams \(streams)")
      return
    }
    let exploration = Interleavings(of: threads)
    #expect(exploration.problem?.description == nil, "\(waits.map { ($0.from, $0.to) }), streams \(streams)")
    #expect(exploration.count > 1)
  }

  @Test func cyclesOfTwoAndThree() {
    expectSound([(0, 1), (1, 0)], refusals: 1)
    expectSound([(0, 1), (1, 2), (2, 0)], refusals: 1)
  }

  /// Two children of one action wait, and one may rely on the search of the other.
  @Test func childrenOfOneAction() {
    expectSound([(0, 1), (0, 1), (1, 0)])
    expectSound([(0, 1), (0, 2), (1, 0)])
    expectSound([(0, 1), (0, 2), (2, 0)])
  }

  /// Actions end while searches pass them.
  @Test func chains() {
    expectSound([(0, 1), (1, 2)], refusals: 0)
    expectSound([(0, 1), (1, 2), (0, 2)], refusals: 0)
    expectSound([(0, 1), (1, 0), (2, 0)], refusals: 1)
    expectSound([(0, 1), (1, 0), (0, 2)])
  }

  /// A wait that is canceled while a search passes it no longer forms a cycle.
  @Test(.largeSearch) func cancellations() {
    expectSound([(0, 1), (1, 0)], cancelled: [0, 1])
    expectSound([(0, 1), (1, 2), (2, 0)], cancelled: [0])
    expectSound([(0, 1), (0, 1), (1, 0)], cancelled: [0])
  }

  /// A stream cannot refuse to wait, so a call in its cycle gives way, whichever wait began first.
  @Test func streams() {
    expectSound([(0, 1), (1, 0)], refusals: 1, streams: [0])
    expectSound([(0, 1), (1, 2), (2, 0)], refusals: 1, streams: [0])
    expectSound([(0, 1), (1, 0), (1, 0)], refusals: 2, streams: [0])
    expectSound([(0, 1), (0, 1), (1, 0)], streams: [0])
    expectSound([(0, 1), (1, 2), (2, 0)], refusals: 1, streams: [0, 1])
  }

  /// Streams that wait for each other make every call in their cycle give way.
  ///
  /// The streams wait until one of them is canceled.
  @Test func streamsThatWaitForEachOther() {
    expectSound([(0, 1), (1, 0)], refusals: 0, streams: [0, 1], cancelled: [0])
    expectSound([(0, 1), (1, 0), (0, 1)], streams: [0, 1], cancelled: [0])
  }

  @Test(.largeSearch) func threeStreamsThatWaitForEachOther() {
    expectSound([(0, 1), (1, 2), (2, 0)], refusals: 0, streams: [0, 1, 2], cancelled: [0])
  }
}
