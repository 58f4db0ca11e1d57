import Synchronization

/// A number no other store of this process has, or will ever have: addresses are used again, these are not.
@usableFromInline struct StoreID: Hashable, Sendable, BitwiseCopyable {
  private static let last = Atomic<UInt64>(0)

  let number: UInt64

  static func next() -> StoreID {
    StoreID(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}

/// A place in one store's queue; the later ticket has the larger number.
@usableFromInline struct TicketNumber: Hashable, Comparable, Sendable, BitwiseCopyable {
  private(set) var number: UInt64

  init(number: UInt64 = 0) {
    self.number = number
  }

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

  /// Of no store: the first has the number 1.
  @usableFromInline static var none: TurnID { TurnID(store: StoreID(number: 0), ticket: TicketNumber()) }

  /// What an action is known by that runs without a turn: a turn of its own, of no store.
  @usableFromInline
  static func ofNoStore() -> TurnID { TurnID(store: .next(), ticket: TicketNumber()) }
}
