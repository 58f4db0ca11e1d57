import ActorStoreTesting
import TestSize
import Testing

@testable import ActorStore

/// Explores every interleaving of the steps of a publisher and of one or two watchers (P11 to P14).
@Suite struct BroadcastExhaustiveTests {
  static let kinds: [Buffering] = [.unbounded, .newest(1), .newest(2), .oldest(1), .oldest(2)]
  static let few: [Buffering] = [.unbounded, .newest(1), .oldest(1)]
  static let filters: [Int?] = [nil, 2]

  @Test(arguments: kinds, filters) func oneWatcher(_ kind: Buffering, _ filter: Int?) {
    expectSound([VirtualWatcher(buffering: kind, filter: filter)], commits: 4)
    expectSound([VirtualWatcher(buffering: kind, filter: filter, canBeCancelled: true)], commits: 4)
    expectSound([VirtualWatcher(buffering: kind, filter: filter, canBeCancelled: true, isEarly: true)], commits: 3)
  }

  /// Tries one policy of each kind, because `oneWatcher` covers longer buffers.
  @Test(.largeSearch, arguments: few, few) func twoWatchers(_ first: Buffering, _ second: Buffering) {
    expectSound(
      [
        VirtualWatcher(buffering: first, filter: 2, canBeCancelled: true),
        VirtualWatcher(buffering: second, isEarly: true),
      ], commits: 2)
  }

  private func expectSound(_ watchers: [VirtualWatcher], commits: Int) {
    let exploration = Interleavings(of: VirtualWatchers(watchers, commits: commits))
    #expect(
      exploration.problem?.description == nil, "\(watchers.map { ($0.buffering, $0.filter, $0.isEarly) }), \(commits)")
    #expect(exploration.count > 1)
  }
}
