/// The tickets that wait for their turn, first in, first out.
///
/// Appending a ticket and taking the first take constant time (amortized). Finding a ticket takes logarithmic time,
/// because ticket numbers only increase. A withdrawn ticket leaves a gap. When gaps considerably outnumber the waiting
/// tickets, the queue removes them. So the number of entries is at most proportional to the number of waiting tickets,
/// plus a constant.
struct TicketQueue<Waiter: Sendable>: Sendable {
  fileprivate struct Entry: Sendable {
    let ticket: TicketNumber
    let label: ActionLabel
    let canSuspend: Bool
    /// The priority of the call, or `nil` while it has never parked.
    var priority: UInt8?
    /// The waiter to resume or start, or `nil` while the call has not parked (again).
    var waiter: Waiter?
    var isWithdrawn = false
    /// Whether the call must give way to another wait, because the two close a cycle.
    var isRevoked = false
    /// Whether the call was woken before its turn.
    var wasWokenAhead = false
  }

  struct First {
    let ticket: TicketNumber
    let label: ActionLabel
    let canSuspend: Bool
    let waiter: Waiter?
    /// The priority of the call, or 0 if it has never parked.
    let priority: UInt8
    /// The highest priority of the parked tickets, or `nil` if none is higher than its own or it has never parked.
    let lentPriority: UInt8?
    let wasWokenAhead: Bool
  }

  /// The number of waiting tickets, without gaps.
  var count: Int { Int(entryCount) }
  /// The number of waiting tickets whose actions can suspend.
  var suspendingCount: Int { Int(suspendingEntryCount) }
  // An idle store has a queue, so its counts take half of a word each (HP16).
  private var entryCount: UInt32 = 0
  private var suspendingEntryCount: UInt32 = 0
  private var entries = Fifo<Entry>()
  private var priorities = WaitingPriorities()

  /// The number of entries for which there is memory.
  var capacity: Int { entries.capacity }

  var labels: [ActionLabel] {
    entries.elements.filter { !$0.isWithdrawn }.map(\.label)
  }

  /// The labels of the first few waiting tickets.
  ///
  /// After many withdrawn tickets, there may be fewer than requested, because the search takes constant time.
  func firstLabels(_ limit: Int) -> [ActionLabel] {
    var labels: [ActionLabel] = []
    for offset in 0..<min(entries.count, 64) where labels.count < limit {
      if !entries[offset].isWithdrawn { labels.append(entries[offset].label) }
    }
    return labels
  }

  /// Adds a ticket whose number is larger than those of all earlier tickets.
  mutating func append(_ ticket: TicketNumber, _ label: ActionLabel, canSuspend: Bool) {
    entries.append(Entry(ticket: ticket, label: label, canSuspend: canSuspend))
    entryCount += 1
    if canSuspend { suspendingEntryCount += 1 }
  }

  mutating func popFirst() -> First? {
    skipGaps()
    guard let entry = entries.popFirst() else { return nil }
    let lentPriority = lentPriority(to: entry)
    removed(entry)
    return First(
      ticket: entry.ticket, label: entry.label, canSuspend: entry.canSuspend, waiter: entry.waiter,
      priority: entry.priority ?? 0, lentPriority: lentPriority, wasWokenAhead: entry.wasWokenAhead)
  }

  func contains(_ ticket: TicketNumber) -> Bool {
    offset(of: ticket) != nil
  }

  /// Whether a ticket's call must give way.
  func isRevoked(_ ticket: TicketNumber) -> Bool {
    offset(of: ticket).map { entries[$0].isRevoked } ?? false
  }

  /// Sets the waiter to resume when the ticket's turn arrives, or returns `false` if the ticket is not in the queue.
  ///
  /// From now on, the ticket lends the waiter's priority to the tickets ahead of it.
  mutating func park(_ ticket: TicketNumber, _ waiter: Waiter, priority: UInt8 = 0) -> Bool {
    guard let offset = offset(of: ticket) else { return false }
    entries[offset].waiter = waiter
    if let former = entries[offset].priority {
      if former == priority { return true }
      priorities.remove(former)
    }
    entries[offset].priority = priority
    priorities.insert(priority)
    return true
  }

  /// Makes a ticket's call give way, and takes out its waiter.
  ///
  /// The ticket keeps its position.
  mutating func revoke(_ ticket: TicketNumber) -> Waiter? {
    guard let offset = offset(of: ticket) else { return nil }
    entries[offset].isRevoked = true
    return entries[offset].waiter.take()
  }

  /// Records that the call has given way, so that another may wait with its ticket.
  ///
  /// Returns `false` if the ticket is no longer in the queue.
  mutating func endRevocation(_ ticket: TicketNumber) -> Bool {
    guard let offset = offset(of: ticket) else { return false }
    entries[offset].isRevoked = false
    return true
  }

  /// Takes out the waiter of the first ticket, to wake it before its turn.
  ///
  /// The ticket keeps its position, and its call may have to park again.
  mutating func takeFirstWaiter() -> Resumption<Waiter>? {
    skipGaps()
    guard let first = entries.first, let waiter = first.waiter else { return nil }
    entries[0].waiter = nil
    entries[0].wasWokenAhead = true
    return Resumption(waiter: waiter, lentPriority: lentPriority(to: first))
  }

  /// Removes a ticket from any position, and returns its waiter.
  mutating func withdraw(_ ticket: TicketNumber) -> Waiter? {
    guard let offset = offset(of: ticket) else { return nil }
    let entry = entries[offset]
    entries[offset].waiter = nil
    entries[offset].isWithdrawn = true
    removed(entry)
    return entry.waiter
  }

  private func lentPriority(to entry: Entry) -> UInt8? {
    entry.priority.flatMap { priorities.lent(to: $0) }
  }

  private mutating func skipGaps() {
    while let first = entries.first, first.isWithdrawn { _ = entries.popFirst() }
  }

  private func offset(of ticket: TicketNumber) -> Int? {
    // Usually, the caller has just taken the last ticket.
    if let last = entries.last, last.ticket == ticket { return last.isWithdrawn ? nil : entries.count - 1 }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].ticket < ticket { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].ticket == ticket, !entries[low].isWithdrawn else { return nil }
    return low
  }

  /// Updates the counts after an entry is removed, and removes the gaps if there are too many.
  private mutating func removed(_ entry: Entry) {
    entryCount -= 1
    if entry.canSuspend { suspendingEntryCount -= 1 }
    if let priority = entry.priority { priorities.remove(priority) }
    if count == 0 {
      // Also frees the memory, because the store may remain idle.
      entries.removeAll()
    } else if entries.storedCount > 2 * count + 64 {
      // Without the constant, short queues would be searched for gaps all the time.
      entries.removeAll(where: \.isWithdrawn)
    }
  }
}

// States of the logic are comparable, so that a test can visit each state once.
extension TicketQueue.Entry: Equatable, Hashable where Waiter: Hashable {}
extension TicketQueue: Equatable, Hashable where Waiter: Hashable {}
