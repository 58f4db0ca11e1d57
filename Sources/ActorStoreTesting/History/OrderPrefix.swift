/// A prefix of an order of operations, stored as a count and a fingerprint.
///
/// Copying all operations of a state for each observation is expensive. A prefix identifies the operations in the space
/// of two numbers. Two different orders have the same fingerprint with a probability of about one in 2^64, if the hash
/// values of the operations differ. A fingerprint is valid only within one process, because hash values differ between
/// processes.
public struct OrderPrefix: Hashable, Sendable {
  /// The number of operations.
  public private(set) var count = 0
  private var fingerprint: UInt64 = 0

  /// Creates a prefix of no operations.
  public init() {}

  /// Appends an operation.
  ///
  /// - Parameter id: The identity of the operation.
  public mutating func append(_ id: some Hashable) {
    count += 1
    let mixed = (fingerprint ^ UInt64(bitPattern: Int64(id.hashValue))) &* 0x9E37_79B9_7F4A_7C15
    fingerprint = (mixed << 29 | mixed >> 35) &+ UInt64(count)
  }
}

/// A state that records the order of its changes.
///
/// Use it as the state of a store to test the store's order.
public struct OrderLog<ID: Hashable & Sendable>: Sendable {
  /// The operations so far, in order.
  public private(set) var entries: [ID] = []
  /// The operations so far as a prefix, which is small enough to keep for each observation.
  public private(set) var prefix = OrderPrefix()

  /// Creates a log without operations.
  public init() {}

  /// Records that an operation took effect.
  ///
  /// - Parameter id: The identity of the operation.
  public mutating func append(_ id: ID) {
    entries.append(id)
    prefix.append(id)
  }
}
