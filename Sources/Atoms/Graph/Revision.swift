/// The number of a state of the whole store.
///
/// Each set or transaction that changes the store creates a new revision. So does releasing an atom if an up-to-date
/// value depends on it, or if its value was set or is the result of a run.
typealias Revision = UInt64

/// Identifies one value of one node.
///
/// Versions come from one counter for each store, so different values never have the same version.
typealias Version = UInt64

extension Revision {
  /// A revision that is never reached.
  static let never = UInt64.max
}

/// The version of a value, and the first revision at which the value was valid.
struct ValueStamp: Hashable, Sendable {
  let version: Version
  let validFrom: Revision
}

/// Identifies a node of a graph.
///
/// The number is reused after the node is gone and no pin can see it.
struct NodeID: Hashable, Sendable {
  let index: Int32

  static let none = NodeID(index: -1)
}

/// Identifies an evaluation among those that exist at the same time.
struct EvaluationID: Hashable, Sendable {
  let slot: Int32

  static let none = EvaluationID(slot: -1)
}
