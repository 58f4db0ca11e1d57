/// Rows by address, in a hash table that is faster than a dictionary.
///
/// A dictionary protects itself against keys that an attacker chooses, which takes as long as counting a report. The
/// addresses of types and literals need no protection.
struct AddressRows: Sendable {
  private struct Entry: Sendable {
    /// Zero in a free entry.
    var address: UInt = 0
    var row = 0
  }

  /// The entries, whose number is a power of two.
  ///
  /// At most half of them are in use, so each search ends at a free one.
  private var entries = [Entry](repeating: Entry(), count: 16)
  private(set) var count = 0

  /// A hash of an address, to use with a number of places that is a power of two.
  static func hash(of address: UInt) -> Int {
    // The upper half of the product depends on all bits of the address.
    Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) &>> 32)
  }

  subscript(address: UInt) -> Int? {
    let entry = entries[index(of: address)]
    return entry.address == 0 ? nil : entry.row
  }

  /// Inserts an address other than zero that the table does not contain.
  mutating func insert(_ address: UInt, row: Int) {
    if entries.count < 2 * (count + 1) {
      let old = entries
      entries = [Entry](repeating: Entry(), count: 2 * old.count)
      for entry in old where entry.address != 0 { entries[index(of: entry.address)] = entry }
    }
    entries[index(of: address)] = Entry(address: address, row: row)
    count += 1
  }

  /// The index of the entry of an address, or of a free one.
  private func index(of address: UInt) -> Int {
    var index = Self.hash(of: address) & (entries.count &- 1)
    while entries[index].address != 0, entries[index].address != address {
      index = (index &+ 1) & (entries.count &- 1)
    }
    return index
  }
}
