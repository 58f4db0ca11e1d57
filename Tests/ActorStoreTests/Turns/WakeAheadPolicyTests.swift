import Testing

@testable import ActorStore

/// When it is worth waking who is next before its turn.
@Suite struct WakeAheadPolicyTests {
  private struct Line {
    var waking = WakeAheadPolicy()
    private var last = TicketNumber()

    /// Hands the turn on once, to somebody of whom it is said whether waking early would have been in vain.
    ///
    /// Returns whether somebody was woken early.
    mutating func handOn(inVain: Bool) -> Bool {
      last.advance()
      guard waking.takeChance() else {
        waking.turnCame(to: last, isStillWaiting: true)
        return false
      }
      waking.woke(last)
      waking.turnCame(to: last, isStillWaiting: inVain)
      return true
    }
  }

  @Test func itIsAtFirst() {
    var line = Line()
    let woken = (0..<100).map { _ in line.handOn(inVain: false) }
    #expect(woken == Array(repeating: true, count: 100))
  }

  /// Behind actions that suspend everybody parks again: after the fourth only every sixteenth is woken.
  @Test func nearlyNeverOnceSeveralCameInVain() {
    var line = Line()
    let woken = (0..<52).map { _ in line.handOn(inVain: true) }
    let pause = Array(repeating: false, count: 15)
    #expect(woken == [true, true, true, true] + pause + [true] + pause + [true] + pause + [true])
  }

  @Test func againOnceOneHasNot() {
    var line = Line()
    for _ in 0..<4 { _ = line.handOn(inVain: true) }
    for _ in 0..<15 { _ = line.handOn(inVain: true) }
    let woken = (0..<20).map { _ in line.handOn(inVain: false) }
    #expect(woken == Array(repeating: true, count: 20))
  }

  /// Some in vain, now and then, are no rule.
  @Test func threeInARowAreNotEnough() {
    var line = Line()
    let woken = (0..<100).map { line.handOn(inVain: $0 % 4 != 3) }
    #expect(woken == Array(repeating: true, count: 100))
  }

  /// Who was not woken early says nothing by being parked when its turn comes.
  @Test func onlyWhoWasWokenCounts() {
    var line = Line()
    var ticket = TicketNumber(number: 1_000)
    for _ in 0..<10 {
      ticket.advance()
      line.waking.turnCame(to: ticket, isStillWaiting: true)
    }
    let isWoken = line.handOn(inVain: false)
    #expect(isWoken)
  }
}
