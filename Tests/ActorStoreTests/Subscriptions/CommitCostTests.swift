@testable import ActorStore
import Testing

/// The number of streams that a commit visits (P15).
@Suite struct CommitCostTests {
  private typealias Subscribers = BroadcastStateMachine<Int, Int, Int>

  @Test(arguments: [Buffering.unbounded, .newest(1), .newest(3)])
  func p15_streamsThatAreBehindAreNotVisited(buffering: Buffering) {
    var subscribers = Subscribers()
    for _ in 0..<100 { start(&subscribers, buffering) }
    for item in 1...10 {
      #expect(subscribers.noticeCount == 0)
      _ = subscribers.publish { item }
    }
  }

  @Test func p15_streamsThatKeepTheOldestAreVisitedOnlyWhileTheyHaveRoom() {
    var subscribers = Subscribers()
    for _ in 0..<100 { start(&subscribers, .oldest(3)) }
    // The first item takes one of three places.
    #expect(subscribers.noticeCount == 100)
    _ = subscribers.publish { 1 }
    #expect(subscribers.noticeCount == 100)
    for item in 2...10 {
      _ = subscribers.publish { item }
      #expect(subscribers.noticeCount == 0)
    }
  }

  @Test func p15_anItemThatIsTakenMakesRoomForOneVisit() {
    var subscribers = Subscribers()
    let stream = start(&subscribers, .oldest(2))
    start(&subscribers, .oldest(2))
    _ = subscribers.publish { 1 }
    _ = subscribers.take(stream)
    #expect(subscribers.noticeCount == 1)
    _ = subscribers.publish { 2 }
    #expect(subscribers.noticeCount == 0)
  }

  @discardableResult
  private func start(_ subscribers: inout Subscribers, _ buffering: Buffering) -> SubscriptionID {
    let id = subscribers.reserve(buffering, filter: nil)
    _ = subscribers.start(id, with: 0)
    return id
  }
}
