import Testing

@testable import ActorStoreTesting

/// The decision whether a thread is blocked.
@Suite struct BlockDetectorTests {
  private func isFound(_ samples: [(thread: Int, sleeps: Int)]) -> Bool {
    var detector = BlockDetector()
    return samples.map { detector.add(.init(thread: $0.thread, sleeps: $0.sleeps)) }.contains(true)
  }

  private let limit = BlockDetector.limit

  @Test func aThreadThatSleepsThroughoutIsBlocked() {
    #expect(isFound(Array(repeating: (1, 5), count: limit + 1)))
    #expect(!isFound(Array(repeating: (1, 5), count: limit)))
  }

  @Test func aThreadThatDoesNotSleepIsNotBlocked() {
    #expect(!isFound(Array(repeating: (1, -1), count: 100)))
  }

  @Test func aThreadThatWakesInBetweenIsNotBlocked() {
    #expect(!isFound((0..<100).map { (1, ($0 / limit)) }))
  }

  @Test func anotherThreadStartsAgain() {
    #expect(!isFound((0..<100).map { (($0 / limit), 5) }))
  }
}
