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
      #expect(timers.earliest == model.map(\.deadline).min())
    }
  }
}
