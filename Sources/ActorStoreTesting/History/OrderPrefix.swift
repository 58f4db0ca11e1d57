/// The beginning of an order of operations, in the space of two numbers.
///
/// A state that is observed often cannot hand out all it went through each time. This says the same: how many
/// operations, and a fingerprint of which ones in which order. Two different orders have the same fingerprint with a
/// probability of about one in 2^64.
public struct OrderPrefix: Hashable, Sendable {
  /// How many operations.
  public private(set) var count = 0
  private var fingerprint: UInt64 = 0

  /// Of no operations.
  public init() {}

  /// The same with one more operation at its end.
  public mutating func append(_ id: some Hashable) {
    count += 1
    let mixed = (fingerprint ^ UInt64(bitPattern: Int64(id.hashValue))) &* 0x9E37_79B9_7F4A_7C15
    fingerprint = (mixed << 29 | mixed >> 35) &+ UInt64(count)
  }
}

/// A state that remembers in which order it was changed: the state for testing a store's order with.
public struct OrderLog<ID: Hashable & Sendable>: Sendable {
  /// The operations so far.
  public private(set) var entries: [ID] = []
  /// The same, small enough to be kept for each observation.
  public private(set) var prefix = OrderPrefix()

  /// Nothing has happened.
  public init() {}

  /// An operation takes effect.
  public mutating func append(_ id: ID) {
    entries.append(id)
    prefix.append(id)
  }
}
