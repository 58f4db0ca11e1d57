import ActorStoreTesting
import SeededRandom
import Testing

@testable import ActorStore

/// P14: A departed subscriber costs no memory, and no work at the next commit.
@Suite struct DepartedSubscriberTests {
  private typealias Logic = BroadcastStateMachine<Int, Int, Int>

  private static let kinds: [Buffering] = [.unbounded, .newest(1), .newest(2), .oldest(1), .oldest(2)]

  /// Adds a subscriber that takes its first item, waits for the next one, and leaves.
  private static func comeAndGo(_ buffering: Buffering, filter: Int?, _ subscribers: inout Logic) {
    let id = subscribers.reserve(buffering, filter: filter)
    _ = subscribers.start(id, with: 0)
    if case .judge = subscribers.take(id) { _ = subscribers.judgedTaking(id, isAccepted: true) }
    let isParked = subscribers.park(id, 0)
    #expect(isParked)
    _ = subscribers.leave(id)
  }

  @Test(arguments: kinds, [nil, 2])
  func leavesNothingBehindWithoutACommit(_ buffering: Buffering, _ filter: Int?) {
    var subscribers = Logic()
    let permanent = subscribers.reserve(buffering, filter: nil)
    _ = subscribers.start(permanent, with: 0)
    _ = subscribers.take(permanent)
    _ = subscribers.park(permanent, 1)
    let before = subscribers.noticeCount
    for _ in 0..<1_000 { Self.comeAndGo(buffering, filter: filter, &subscribers) }
    #expect(subscribers.noticeCount == before)
    #expect(subscribers.storedSlots == 2)
    // The next commit wakes only the remaining subscriber.
    let publication = subscribers.publish { 1 }
    #expect(publication.woken == [1] && publication.filtered.isEmpty)
  }

  /// A subscriber that leaves removes exactly its own entries.
  @Test(arguments: 0..<20 as Range<UInt64>) func remainingSubscribersMissNothing(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var subscribers = Logic()
    var waiting: [Int: SubscriptionID] = [:]
    for step in 1...400 {
      switch random.below(3) {
      case 0, 1:
        let kind = Self.kinds[random.below(Self.kinds.count)]
        let id = subscribers.reserve(kind, filter: nil)
        _ = subscribers.start(id, with: 0)
        _ = subscribers.take(id)
        _ = subscribers.park(id, step)
        waiting[step] = id
      default:
        guard let name = waiting.keys.sorted().randomElement(using: &random), let id = waiting[name] else { continue }
        _ = subscribers.leave(id)
        waiting[name] = nil
      }
      if step % 40 == 0 {
        #expect(Set(subscribers.publish { step }.woken) == Set(waiting.keys))
        for (name, id) in waiting {
          guard case .taken(.value(step)) = subscribers.take(id) else {
            Issue.record("missed \(step)")
            return
          }
          _ = subscribers.park(id, name)
        }
      }
    }
  }

  /// A store forgets streams of states, streams of a value that never changes, and waits for a state.
  @Test func p14_aStoreForgetsDepartedSubscribersWithoutACommit() async {
    let store = Store(Log())
    let (states, counts) = (store.states, store.select(\.entries.count).values)
    let permanent = [Task { for await _ in states {} }, Task { for await _ in counts {} }]
    let broadcasts = [store.hub.states] + store.hub.selectionBroadcasts
    while broadcasts.contains(where: { $0.waitingCount == 0 }) { await Task.yield() }
    for _ in 0..<200 {
      let (states, counts) = (store.states, store.select(\.entries.count).values)
      let passing = [
        Task { for await _ in states {} }, Task { for await _ in counts {} },
        Task { _ = try? await store.select().first(within: .zero, where: { !$0.entries.isEmpty }) },
      ]
      while broadcasts.contains(where: { $0.waitingCount < 2 }) { await Task.yield() }
      for task in passing { task.cancel() }
      for task in passing { await task.value }
    }
    #expect(broadcasts.map(\.noticeCount) == [1, 1])
    for task in permanent { task.cancel() }
  }
}
