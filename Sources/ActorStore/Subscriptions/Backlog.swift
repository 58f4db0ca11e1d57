/// The items that subscribers have yet to take, each stored once regardless of the number of subscribers.
///
/// Items have consecutive numbers. An item remains while a cursor is at or before it, or while it is among the
/// newest items to keep. Each operation takes constant time (amortized).
struct Backlog<Item: Sendable>: Sendable {
  fileprivate struct Entry: Sendable {
    let item: Item
    /// The number of cursors that take this item next.
    var cursors: Int
  }

  private var entries = Fifo<Entry>()
  /// The number of the next item to be added.
  private(set) var next: UInt64 = 0
  /// The number of cursors that have taken all items.
  private var cursorsAtEnd = 0

  /// The number of items.
  var count: Int { entries.count }

  private func offset(of number: UInt64) -> Int { entries.count - Int(next - number) }

  /// The item with a number.
  func item(at number: UInt64) -> Item { entries[offset(of: number)].item }

  /// Adds a cursor after the last item.
  mutating func addCursor() {
    cursorsAtEnd += 1
  }

  /// Moves a cursor from a number to the next one.
  mutating func advanceCursor(from number: UInt64) {
    removeCursor(at: number)
    if number + 1 == next { cursorsAtEnd += 1 } else { entries[offset(of: number + 1)].cursors += 1 }
  }

  mutating func removeCursor(at number: UInt64) {
    if number == next { cursorsAtEnd -= 1 } else { entries[offset(of: number)].cursors -= 1 }
  }

  /// Adds an item, which all cursors after the last item take next.
  mutating func append(_ item: Item) {
    entries.append(Entry(item: item, cursors: cursorsAtEnd))
    cursorsAtEnd = 0
    next += 1
  }

  /// Moves the items that no subscriber needs to `unused`.
  ///
  /// The caller releases them outside the lock.
  mutating func trim(keepingNewest kept: Int, into unused: inout [Item]) {
    while count > kept, let entry = entries.first, entry.cursors == 0 {
      unused.append(entry.item)
      _ = entries.popFirst()
    }
  }
}

extension Backlog.Entry: Equatable, Hashable where Item: Hashable {}
extension Backlog: Equatable, Hashable where Item: Hashable {}
