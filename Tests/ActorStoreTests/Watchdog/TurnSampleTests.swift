import Testing

@testable import ActorStore

/// Samples of a queue with many waiters.
@Suite struct TurnSampleTests {
  private let label = ActionLabel.text("work")

  @Test func phases() {
    let queue = TurnQueue()
    #expect(queue.sample(expecting: .none).holder == .none)
    let ticket = queue.takeWithoutWaiting(label, canSuspend: true, startingIn: .granted).ticket
    #expect(queue.sample(expecting: .none).details == nil)
    #expect(queue.sample(expecting: ticket).details?.phase == .granted)
    queue.beginUnlocked(ticket)
    #expect(queue.sample(expecting: ticket).details?.phase == .running)
    queue.handOff(ticket)
    #expect(queue.sample(expecting: ticket).holder == .none)
    #expect(queue.holderLabel == nil)
  }

  @Test func labelsOfTheFirstWaiters() {
    let queue = TurnQueue()
    let holder = queue.takeWithoutWaiting(label, canSuspend: true, startingIn: .running).ticket
    let waiters = (0..<200).map { _ in
      queue.takeWithoutWaiting(.text("waiter"), canSuspend: true, startingIn: .running).ticket
    }
    #expect(queue.sample(expecting: holder).details?.queuedCount == 200)
    #expect(queue.sample(expecting: holder).details?.firstQueued == Array(repeating: .text("waiter"), count: 5))
    // Withdrawn tickets leave gaps, and a sample searches only a limited number of entries.
    for waiter in waiters[1..<63] { queue.withdraw(waiter) }
    #expect(queue.sample(expecting: holder).details?.firstQueued.count == 2)
    #expect(queue.sample(expecting: holder).details?.queuedCount == 138)
  }
}
