import ActorStoreTesting
import Testing

@testable import ActorStore

/// Waits across stores that begin, are searched, give way and end, under every interleaving of their steps (P8).
///
/// Nobody waits for ever, nobody is refused for a cycle that was never there, and of a cycle exactly one is refused.
@Suite struct WaitGraphExhaustiveTests {
  private func expectSound(
    _ waits: [(from: Int, to: Int)],
    refusals: Int? = nil,
    streams: Set<Int> = [],
    cancelled: Set<Int> = []
  ) {
    let waits = waits.enumerated().map {
      VirtualWait(from: $1.from, to: $1.to, isStream: streams.contains($0), canLeave: cancelled.contains($0))
    }
    let exploration = Interleavings(of: VirtualWaits(waits, refusals: refusals))
    #expect(exploration.problem?.description == nil, "\(waits.map { ($0.from, $0.to) }), streams \(streams)")
    #expect(exploration.count > 1)
  }

  @Test func cyclesOfTwoAndThree() {
    expectSound([(0, 1), (1, 0)], refusals: 1)
    expectSound([(0, 1), (1, 2), (2, 0)], refusals: 1)
  }

  /// Two children of one action, the second of which relies on the search of the first.
  @Test func childrenOfOneAction() {
    expectSound([(0, 1), (0, 1), (1, 0)])
    expectSound([(0, 1), (0, 2), (1, 0)])
    expectSound([(0, 1), (0, 2), (2, 0)])
  }

  /// Actions that end while others search past them.
  @Test func chains() {
    expectSound([(0, 1), (1, 2)], refusals: 0)
    expectSound([(0, 1), (1, 2), (0, 2)], refusals: 0)
    expectSound([(0, 1), (1, 0), (2, 0)], refusals: 1)
    expectSound([(0, 1), (1, 0), (0, 2)])
  }

  /// What is cancelled while another searches past it forms no cycle any more.
  @Test(.largeSearch) func cancellations() {
    expectSound([(0, 1), (1, 0)], cancelled: [0, 1])
    expectSound([(0, 1), (1, 2), (2, 0)], cancelled: [0])
    expectSound([(0, 1), (0, 1), (1, 0)], cancelled: [0])
  }

  /// A stream cannot refuse: whoever it meets in a cycle gives way, before or after it.
  @Test func streams() {
    expectSound([(0, 1), (1, 0)], refusals: 1, streams: [0])
    expectSound([(0, 1), (1, 2), (2, 0)], refusals: 1, streams: [0])
    expectSound([(0, 1), (1, 0), (1, 0)], refusals: 2, streams: [0])
    expectSound([(0, 1), (0, 1), (1, 0)], streams: [0])
    expectSound([(0, 1), (1, 2), (2, 0)], refusals: 1, streams: [0, 1])
  }

  /// Streams that wait for each other, until one of them is cancelled, do not keep anything else in their cycle.
  @Test func streamsOfEachOther() {
    expectSound([(0, 1), (1, 0)], refusals: 0, streams: [0, 1], cancelled: [0])
    expectSound([(0, 1), (1, 0), (0, 1)], streams: [0, 1], cancelled: [0])
  }

  @Test(.largeSearch) func streamsOfThree() {
    expectSound([(0, 1), (1, 2), (2, 0)], refusals: 0, streams: [0, 1, 2], cancelled: [0])
  }
}
