import SeededRandom
import Testing

@testable import ActorStoreTesting

@Suite struct TimerQueueTests {
  @Test(arguments: 0..<30)
  func behavesLikeASortedList(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var timers = TimerQueue<Int>()
    var model: [(id: TimerQueue<Int>.ID, deadline: Duration, sleeper: Int)] = []
    for sleeper in 0..<200 {
      #expect(timers.hasForeground == !model.isEmpty)
      switch random.below(4) {
      case 0, 1:
        let deadline = Duration.seconds(random.below(20))
        model.append((timers.add(sleeper, until: deadline), deadline, sleeper))
      case 2:
        guard let index = model.indices.randomElement(using: &random) else { continue }
        let removed = model.remove(at: index)
        #expect(timers.remove(removed.id) == removed.sleeper)
        #expect(timers.remove(removed.id) == nil)
      default:
        let moment = Duration.seconds(random.below(20))
        let due = model.filter { $0.deadline <= moment }.sorted {
          ($0.deadline, $0.sleeper) < ($1.deadline, $1.sleeper)
        }
        #expect(timers.removeAll(until: moment) == due.map(\.sleeper))
        model.removeAll { $0.deadline <= moment }
      }
      #expect(timers.next == model.map(\.deadline).min())
    }
  }

  @Test func backgroundTasksAdvanceTheTimeThreeTimesInARow() {
    var timers = TimerQueue<Int>()
    for second in 1...3 {
      _ = timers.add(0, until: .seconds(second), background: 7)
      #expect(timers.next == .seconds(second))
      #expect(timers.removeAll(until: .seconds(second)) == [0])
    }
    let last = timers.add(0, until: .seconds(4), background: 7)
    #expect(timers.next == nil)
    _ = timers.add(1, until: .seconds(9))
    #expect(timers.next == .seconds(9))
    timers.noteProgress()
    #expect(timers.next == .seconds(4))
    #expect(timers.remove(last) == 0)
    #expect(timers.next == .seconds(9))
  }

  /// A task that wakes often does not use up the wakes of another one.
  @Test func eachBackgroundTaskHasItsOwnCount() {
    var timers = TimerQueue<Int>()
    _ = timers.add(8, until: .seconds(10), background: 8)
    for second in 1...3 {
      _ = timers.add(7, until: .seconds(second), background: 7)
      _ = timers.removeAll(until: .seconds(second))
    }
    _ = timers.add(7, until: .seconds(4), background: 7)
    #expect(timers.next == .seconds(10))
    #expect(timers.removeAll(until: .seconds(10)) == [7, 8])
  }

  @Test func onlyForegroundTimersCountAsForeground() throws {
    var timers = TimerQueue<Int>()
    _ = timers.add(7, until: .seconds(1), background: 7)
    #expect(!timers.hasForeground)
    let removed = timers.add(1, until: .seconds(2))
    _ = timers.add(2, until: .seconds(3))
    #expect(timers.hasForeground)
    _ = timers.remove(removed)
    #expect(timers.hasForeground)
    _ = timers.removeAll(until: .seconds(3))
    #expect(!timers.hasForeground)
  }

  @Test func backgroundTimersAreRemovedAlone() {
    var timers = TimerQueue<Int>()
    for second in 1...4 { _ = timers.add(second, until: .seconds(second), background: second % 2 == 0 ? 7 : nil) }
    #expect(timers.removeBackground() == [2, 4])
    #expect(timers.removeBackground() == [])
    #expect(timers.hasForeground)
    #expect(timers.removeAll(until: .seconds(4)) == [1, 3])
  }

  @Test func taskIsInTheBackgroundAfterItHasWoken() {
    var timers = TimerQueue<Int>()
    _ = timers.add(7, until: .seconds(1), background: 7)
    #expect(!timers.isInBackground(7))
    _ = timers.removeAll(until: .seconds(1))
    #expect(timers.isInBackground(7))
    timers.noteProgress()
    #expect(!timers.isInBackground(7))
  }

  // MARK: Early timers

  @Test func theEarliestForegroundTimersCanFireEarly() {
    var timers = TimerQueue<Int>()
    _ = timers.add(0, until: .seconds(1), task: 7, background: 7)
    _ = timers.add(1, until: .seconds(2), task: 1)
    _ = timers.add(2, until: .seconds(2), task: 2)
    _ = timers.add(3, until: .seconds(3), task: 3)
    #expect(timers.earlyTasks == [1, 2])
    let fired = timers.fireEarly(1)
    #expect(fired?.deadline == .seconds(2) && fired?.first == 2 && fired?.others == [0, 1])
    #expect(timers.earlyTasks == [3])
  }

  /// A time limit of a test is a last resort, and no other timer that comes later can fire before it.
  @Test func lastResortsDoNotFireEarly() {
    var timers = TimerQueue<Int>()
    _ = timers.add(1, until: .seconds(2), task: 1, canBeEarly: false)
    _ = timers.add(2, until: .seconds(2), task: 2)
    _ = timers.add(3, until: .seconds(3), task: 3)
    #expect(timers.earlyTasks == [2])
    _ = timers.fireEarly(0)
    #expect(timers.earlyTasks == [3])
    _ = timers.add(4, until: .seconds(1), task: 4, canBeEarly: false)
    #expect(timers.earlyTasks == [])
  }
}
