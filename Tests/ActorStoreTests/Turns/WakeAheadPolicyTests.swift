import Testing

@testable import ActorStore

/// The decision to wake the next waiter before its turn.
@Suite struct WakeAheadPolicyTests {
  private struct Queue {
    var waking = WakeAheadPolicy()
    /// Hands off the turn once, to a waiter that wakes ahead in vain or not.
    ///
    /// Returns whether the waiter was woken ahead.
    mutating func handOff(inVain: Bool) -> Bool {
      guard waking.takeChance() else { return false }
      waking.turnArrived(isStillWaiting: inVain)
      return true
    }
  }

  @Test func alwaysWakesAheadAtFirst() {
    var queue = Queue()
    let woken = (0..<100).map { _ in queue.handOff(inVain: false) }
    #expect(woken == Array(repeating: true, count: 100))
  }

  /// After four waiters wake in vain, only every sixteenth waiter wakes ahead.
  @Test func rarelyWakesAheadAfterFourVainWakeUps() {
    var queue = Queue()
    let woken = (0..<52).map { _ in queue.handOff(inVain: true) }
    let pause = Array(repeating: false, count: 15)
    #expect(woken == [true, true, true, true] + pause + [true] + pause + [true] + pause + [true])
  }

  @Test func wakesAheadAgainAfterAUsefulWakeUp() {
    var queue = Queue()
    for _ in 0..<4 { _ = queue.handOff(inVain: true) }
    for _ in 0..<15 { _ = queue.handOff(inVain: true) }
    let woken = (0..<20).map { _ in queue.handOff(inVain: false) }
    #expect(woken == Array(repeating: true, count: 20))
  }

  /// Fewer than four vain wake-ups in a row do not change the policy.
  @Test func threeVainWakeUpsInARowAreNotEnough() {
    var queue = Queue()
    let woken = (0..<100).map { queue.handOff(inVain: $0 % 4 != 3) }
    #expect(woken == Array(repeating: true, count: 100))
  }
}
