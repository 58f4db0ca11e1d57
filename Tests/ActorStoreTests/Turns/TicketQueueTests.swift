import ActorStoreTesting
import SeededRandom
import TestSize
import Testing

@testable import ActorStore

/// Compares the queue with a plain array, over random operations.
@Suite struct TicketQueueTests {
  @Test(arguments: 0..<UInt64(TestSize.count(50, few: 10)))
  func matchesAnArray(seed: UInt64) {
    var random = SplitMix64(seed)
    var queue = TicketQueue<Int>()
    var model: [(ticket: TicketNumber, waiter: Int?, canSuspend: Bool, priority: UInt8?)] = []
    var last = TicketNumber()
    for step in 0..<2_000 {
      switch random.below(step < 1_000 ? 6 : 8) {
      case 0...2:
        last.advance()
        let canSuspend = random.below(2) == 0
        queue.append(last, .text("t"), canSuspend: canSuspend)
        model.append((last, nil, canSuspend, nil))
      case 3:
        guard !model.isEmpty else { continue }
        let index = random.below(model.count)
        let priority = UInt8(random.below(4))
        (model[index].waiter, model[index].priority) = (step, priority)
        let parked = queue.park(model[index].ticket, step, priority: priority)
        #expect(parked)
      case 4:
        guard !model.isEmpty else { continue }
        let entry = model.remove(at: random.below(model.count))
        #expect(queue.contains(entry.ticket))
        let waiter = queue.withdraw(entry.ticket)
        #expect(waiter == entry.waiter)
        #expect(!queue.contains(entry.ticket))
        let again = queue.withdraw(entry.ticket)
        #expect(again == nil)
        let parkedTooLate = queue.park(entry.ticket, 0)
        #expect(!parkedTooLate)
      default:
        let first = queue.popFirst()
        let expected = model.isEmpty ? nil : model.removeFirst()
        let lent = model.compactMap(\.priority).max().flatMap { $0 > expected?.priority ?? .max ? $0 : nil }
        #expect(first?.lentPriority == lent)
        #expect(first?.ticket == expected?.ticket)
        #expect(first?.waiter == expected?.waiter)
        #expect(first?.canSuspend == expected?.canSuspend)
      }
      #expect(queue.count == model.count)
      #expect(queue.suspendingCount == model.count { $0.canSuspend })
      #expect(queue.labels.count == model.count)
    }
  }

  /// Taking the first waiter leaves its ticket in the queue.
  @Test func takesTheFirstParkedWaiter() {
    var queue = TicketQueue<Int>()
    #expect(first(&queue) == nil)
    var tickets: [TicketNumber] = []
    var last = TicketNumber()
    for number in 0..<4 {
      last.advance()
      tickets.append(last)
      queue.append(last, .text("t"), canSuspend: number == 2)
      if number != 3 { _ = queue.park(last, number) }
    }
    _ = queue.withdraw(tickets[0])
    #expect(first(&queue) == 1)
    #expect(first(&queue) == nil)
    _ = queue.park(tickets[1], 11)
    #expect([queue.popFirst()?.waiter, first(&queue), queue.popFirst()?.waiter] == [11, 2, nil])
    #expect(queue.count == 1)
    #expect(first(&queue) == nil)
  }

  /// The first ticket is lent the highest priority behind it, until the ticket that lends it is gone.
  @Test func lendsTheHighestPriorityOfTheWaitingTickets() {
    var queue = TicketQueue<Int>()
    var tickets: [TicketNumber] = []
    var last = TicketNumber()
    for priority: UInt8 in [9, 9, 33, 9, 21] {
      last.advance()
      tickets.append(last)
      queue.append(last, .text("t"), canSuspend: true)
      _ = queue.park(last, 0, priority: priority)
    }
    #expect(queue.takeFirstWaiter()?.lentPriority == 33)
    #expect(queue.popFirst()?.lentPriority == 33)
    _ = queue.withdraw(tickets[2])
    #expect(queue.popFirst()?.lentPriority == 21)
    #expect([queue.popFirst()?.lentPriority, queue.popFirst()?.lentPriority] == [21, nil])
    #expect(queue == TicketQueue())
  }

  private func first(_ queue: inout TicketQueue<Int>) -> Int? { queue.takeFirstWaiter()?.waiter }

  @Test func withdrawnTicketsDoNotPileUp() {
    var queue = TicketQueue<Int>()
    var ticket = TicketNumber()
    ticket.advance()
    queue.append(ticket, .text("stays"), canSuspend: true)
    for _ in 0..<100_000 {
      ticket.advance()
      queue.append(ticket, .text("goes"), canSuspend: true)
      _ = queue.withdraw(ticket)
    }
    #expect(queue.capacity < 300)
    #expect(queue.labels.count == 1)
  }

  /// A queue from which all tickets are withdrawn keeps no memory and equals a new queue.
  @Test func anEmptyQueueFreesItsMemory() {
    var queue = TicketQueue<Int>()
    var tickets: [TicketNumber] = []
    var ticket = TicketNumber()
    for _ in 0..<10_000 {
      ticket.advance()
      tickets.append(ticket)
      queue.append(ticket, .text("goes"), canSuspend: true)
    }
    #expect(queue.capacity >= 10_000)
    for ticket in tickets.reversed() { _ = queue.withdraw(ticket) }
    #expect(queue.capacity == 0)
    #expect(queue == TicketQueue())
  }
}
