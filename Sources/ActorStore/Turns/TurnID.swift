import Synchronization

/// A number that identifies one store for the lifetime of the process.
///
/// Unlike an address, it is never reused.
@usableFromInline struct StoreID: Hashable, Sendable, BitwiseCopyable {
  private static let last = Atomic<UInt64>(0)

  let number: UInt64

  @usableFromInline
  static func next() -> StoreID {
    StoreID(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// A second ID of the same store.
  var second: StoreID { StoreID(number: number | 1 << 63) }

  /// The ID that the groups of the store have in call chains.
  ///
  /// They have no turn of the store, so they need a separate ID.
  var ofGroups: StoreID { StoreID(number: number | 1 << 62) }

  var isOfGroups: Bool { number & 1 << 62 != 0 }
}

/// A position in one store's queue.
///
/// Later tickets have larger numbers.
@usableFromInline struct TicketNumber: Hashable, Comparable, Sendable, BitwiseCopyable {
  private(set) var number: UInt64

  init(number: UInt64 = 0) {
    self.number = number
  }

  /// The ticket of a call that got none.
  @usableFromInline static var none: TicketNumber { TicketNumber() }

  mutating func advance() {
    number += 1
  }

  @usableFromInline
  static func < (earlier: TicketNumber, later: TicketNumber) -> Bool {
    earlier.number < later.number
  }
}

/// One turn of one store, unique in the process.
@usableFromInline struct TurnID: Hashable, Sendable, BitwiseCopyable {
  let store: StoreID
  let ticket: TicketNumber

  /// The turn of no store.
  ///
  /// Store numbers begin at 1.
  @usableFromInline static var none: TurnID { TurnID(store: StoreID(number: 0), ticket: TicketNumber()) }

  /// A new ID for a sent action that runs without a turn.
  ///
  /// - Parameter start: The ticket with which it starts.
  @usableFromInline
  static func withoutStore(_ start: TicketNumber) -> TurnID { TurnID(store: .next(), ticket: start) }
}
