import Testing

@testable import ActorStore

/// When it pays to wake the next waiter before its turn.
@Suite struct WakeAheadPolicyTests {
  private struct Queue {
    var waking = WakeAheadPolicy()
    private var last = TicketNumber()

    /// Hands off the turn once, to a waiter for which waking ahead would or would not be in vain.
    ///
    /// Returns whether the waiter was woken ahead.
    mutating func handOff(inVain: Bool) -> Bool {
      last.advance()
      guard waking.takeChance() else {
        waking.turnArrived(for: last, isStillWaiting: true)
        return false
      }
      waking.woke(last)
      waking.turnArrived(for: last, isStillWaiting: inVain)
      return true
    }
  }

  @Test func alwaysAtFirst() {
    var queue = Queue()
    let woken = (0..<100).map { _ in queue.handOff(inVain: false) }
    #expect(woken == Array(repeating: true, count: 100))
  }

  /// Behind actions that suspend, every waiter parks again.
  ///
  /// After the fourth, only every sixteenth is woken.
  @Test func hardlyEverAfterSeveralVainWakeUps() {
    var queue = Queue()
    let woken = (0..<52).map { _ in queue.handOff(inVain: true) }
    let pause = Array(repeating: false, count: 15)
    #expect(woken == [true, true, true, true] + pause + [true] + pause + [true] + pause + [true])
  }

  @Test func againAfterOneThatWasNotInVain() {
    var queue = Queue()
    for _ in 0..<4 { _ = queue.handOff(inVain: true) }
    for _ in 0..<15 { _ = queue.handOff(inVain: true) }
    let woken = (0..<20).map { _ in queue.handOff(inVain: false) }
    #expect(woken == Array(repeating: true, count: 20))
  }

  /// Occasional vain wake-ups do not count as a rule.
  @Test func threeInARowAreNotEnough() {
    var queue = Queue()
    let woken = (0..<100).map { queue.handOff(inVain: $0 % 4 != 3) }
    #expect(woken == Array(repeating: true, count: 100))
  }

  /// A waiter that was not woken ahead tells nothing by being parked when its turn arrives.
  @Test func onlyWokenWaitersCount() {
    var queue = Queue()
    var ticket = TicketNumber(number: 1_000)
    for _ in 0..<10 {
      ticket.advance()
      queue.waking.turnArrived(for: ticket, isStillWaiting: true)
    }
    let isWoken = queue.handOff(inVain: false)
    #expect(isWoken)
  }
}
