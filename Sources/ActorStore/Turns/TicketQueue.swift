/// The tickets that wait for their turn, first in, first out.
///
/// Appending and taking the first cost O(1) amortised; finding one by its number O(log n), since numbers only grow.
/// A ticket that is withdrawn leaves a gap, skipped later; when more than half are gaps they are swept out, so the
/// memory stays in proportion to what really waits.
struct TicketQueue<Waiter: Sendable>: Sendable {
  fileprivate struct Entry {
    let ticket: TicketNumber
    let label: ActionLabel
    let canSuspend: Bool
    /// Who is to be resumed or started; nil as long as the call has not parked, or not parked again.
    var waiter: Waiter?
    var isWithdrawn = false
    /// Whether the call is to give way to another wait, which would close a cycle.
    var isRevoked = false
  }

  struct First {
    let ticket: TicketNumber
    let label: ActionLabel
    let canSuspend: Bool
    let waiter: Waiter?
  }

  private var entries: [Entry] = []
  private var head = 0
  /// How many wait, gaps not counted.
  private(set) var count = 0
  /// How many of them can suspend once they run.
  private(set) var suspendingCount = 0

  /// How much memory it takes, in entries.
  var storedEntries: Int { entries.count }

  var labels: [ActionLabel] {
    entries[head...].lazy.filter { !$0.isWithdrawn }.map(\.label)
  }

  /// Adds a ticket whose number is larger than all before.
  mutating func append(_ ticket: TicketNumber, _ label: ActionLabel, canSuspend: Bool) {
    entries.append(Entry(ticket: ticket, label: label, canSuspend: canSuspend))
    count += 1
    if canSuspend { suspendingCount += 1 }
  }

  mutating func popFirst() -> First? {
    guard count > 0 else { return nil }
    skipGaps()
    let entry = entries[head]
    head += 1
    leave(entry)
    return First(ticket: entry.ticket, label: entry.label, canSuspend: entry.canSuspend, waiter: entry.waiter)
  }

  func contains(_ ticket: TicketNumber) -> Bool {
    index(of: ticket) != nil
  }

  /// Whether the call of a ticket is to give way.
  func isRevoked(_ ticket: TicketNumber) -> Bool {
    index(of: ticket).map { entries[$0].isRevoked } ?? false
  }

  /// Says who is to be resumed when the ticket's turn comes; false when the ticket does not wait here.
  mutating func park(_ ticket: TicketNumber, _ waiter: Waiter) -> Bool {
    guard let index = index(of: ticket) else { return false }
    entries[index].waiter = waiter
    return true
  }

  /// The call of a ticket is to give way; returns whom it had parked.
  ///
  /// The ticket keeps its place.
  mutating func revoke(_ ticket: TicketNumber) -> Waiter? {
    guard let index = index(of: ticket) else { return nil }
    entries[index].isRevoked = true
    return entries[index].waiter.take()
  }

  /// The call has given way, and another may wait at its place; false if the ticket has lost it.
  mutating func endRevocation(_ ticket: TicketNumber) -> Bool {
    guard let index = index(of: ticket) else { return false }
    entries[index].isRevoked = false
    return true
  }

  /// Takes out whom the first ticket has parked; it keeps its place, and has to park again if its turn has not come.
  mutating func takeFirstWaiter() -> (ticket: TicketNumber, waiter: Waiter)? {
    guard count > 0 else { return nil }
    skipGaps()
    guard let waiter = entries[head].waiter.take() else { return nil }
    return (entries[head].ticket, waiter)
  }

  /// Takes a ticket out, wherever it stands; returns whom it had parked.
  mutating func withdraw(_ ticket: TicketNumber) -> Waiter? {
    guard let index = index(of: ticket) else { return nil }
    let entry = entries[index]
    entries[index].waiter = nil
    entries[index].isWithdrawn = true
    leave(entry)
    return entry.waiter
  }

  /// There is a ticket left.
  private mutating func skipGaps() {
    while entries[head].isWithdrawn { head += 1 }
  }

  private func index(of ticket: TicketNumber) -> Int? {
    // Who has just taken a ticket is mostly still the last.
    if let last = entries.last, last.ticket == ticket { return last.isWithdrawn ? nil : entries.count - 1 }
    var low = head
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].ticket < ticket { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].ticket == ticket, !entries[low].isWithdrawn else { return nil }
    return low
  }

  private mutating func leave(_ entry: Entry) {
    count -= 1
    if entry.canSuspend { suspendingCount -= 1 }
    sweep()
  }

  /// Drops what is spent once it outweighs what waits; the constant keeps short queues from being swept all the time.
  private mutating func sweep() {
    if count == 0 {
      entries.removeAll(keepingCapacity: entries.capacity <= 64)
      head = 0
    } else if entries.count > 2 * count + 64 {
      entries.removeSubrange(..<head)
      entries.removeAll(where: \.isWithdrawn)
      head = 0
    }
  }
}

// Two states of the logic can be compared, so that a test can visit each once.
extension TicketQueue.Entry: Equatable, Hashable where Waiter: Hashable {}
extension TicketQueue: Equatable, Hashable where Waiter: Hashable {}
