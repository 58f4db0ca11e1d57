import Testing

@testable import ActorStore

/// The priorities that waiting calls lend to the action that has the turn.
@Suite struct HolderPriorityTests {
  private typealias Turns = TurnQueueStateMachine<Int, Int, Int>

  private func take(_ turns: inout Turns) -> TicketNumber {
    turns.take(.text("t"), canSuspend: true, startingIn: .running) { _ in false }.ticket
  }

  /// Parks a call, and returns whether it raises the holder's task.
  private func park(_ turns: inout Turns, _ priority: UInt8, knowsTask: Bool = true) -> Bool {
    let ticket = take(&turns)
    #expect(turns.park(ticket, Int(ticket.number), priority: priority) == .wait)
    return turns.lendToHolder(priority) { knowsTask ? true : nil } == true
  }

  @Test func onlyACallWithAHigherPriorityThanAllBeforeRaisesTheHolder() {
    var turns = Turns()
    _ = take(&turns)
    #expect([9, 9, 5, 21, 9, 21, 33].map { park(&turns, $0) } == [true, false, false, true, false, false, true])
  }

  /// Otherwise, no later call with the same priority would raise the holder.
  @Test func aCallThatDoesNotKnowTheTaskLendsNothing() {
    var turns = Turns()
    _ = take(&turns)
    #expect(!park(&turns, 21, knowsTask: false))
    #expect(park(&turns, 21))
  }

  @Test func aHolderThatHasWaitedHasTheHighestPriorityOfTheCallsBehindIt() {
    var turns = Turns()
    let first = take(&turns)
    for priority: UInt8 in [9, 21, 5] { _ = park(&turns, priority) }
    // The new holder has 21, which the second call has lent.
    let second = turns.handOff(first)
    #expect(second == Resumption(waiter: 2, lentPriority: 21))
    #expect([9, 21, 25].map { park(&turns, $0) } == [false, false, true])
    // The next holder has had 21 all along, and gets 25.
    _ = turns.handOff(TicketNumber(number: 2))
    #expect(!park(&turns, 25))
    #expect(park(&turns, 33))
  }
}
