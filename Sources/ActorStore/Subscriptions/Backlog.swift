/// What somebody has yet to take, each item once however many are behind.
///
/// An item is known by its number; the numbers of those that are added follow each other. It stays for as long as a
/// cursor stands at it or before it, or it is among the newest that are to be kept. Each step costs O(1), amortised.
struct Backlog<Item: Sendable>: Sendable {
  fileprivate struct Entry: Sendable {
    let item: Item
    /// How many cursors stand here, to take this item next.
    var cursors: Int
  }

  private var entries = Fifo<Entry>()
  /// The number that is added next.
  private(set) var next: UInt64 = 0
  /// How many cursors have taken all there is.
  private var cursorsAtEnd = 0

  /// How many items are kept.
  var count: Int { entries.count }

  private func offset(of number: UInt64) -> Int { entries.count - Int(next - number) }

  /// The item of a number that is kept.
  func item(at number: UInt64) -> Item { entries[offset(of: number)].item }

  /// Puts a cursor behind all there is.
  mutating func addCursor() {
    cursorsAtEnd += 1
  }

  /// Moves the cursor that stands at a number to the one after it.
  mutating func advanceCursor(from number: UInt64) {
    removeCursor(at: number)
    if number + 1 == next { cursorsAtEnd += 1 } else { entries.change(offset(of: number + 1)) { $0.cursors += 1 } }
  }

  mutating func removeCursor(at number: UInt64) {
    if number == next { cursorsAtEnd -= 1 } else { entries.change(offset(of: number)) { $0.cursors -= 1 } }
  }

  /// Adds the next item, at which all stand that have taken everything.
  mutating func append(_ item: Item) {
    entries.append(Entry(item: item, cursors: cursorsAtEnd))
    cursorsAtEnd = 0
    next += 1
  }

  /// Moves what nobody needs to `gone`, to be let go after the lock.
  mutating func trim(keepingNewest kept: Int, into gone: inout [Item]) {
    while count > kept, let entry = entries.first, entry.cursors == 0 {
      gone.append(entry.item)
      _ = entries.popFirst()
    }
  }
}

extension Backlog.Entry: Equatable, Hashable where Item: Hashable {}
extension Backlog: Equatable, Hashable where Item: Hashable {}
