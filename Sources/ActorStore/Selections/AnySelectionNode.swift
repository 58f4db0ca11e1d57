/// Computes and compares the values of a selection, without type parameters.
///
/// It has no state, so stores can share it. The code that handles it is compiled once, for concrete types.
package protocol AnySelectionNode: AnyObject, Sendable {
  /// The selections whose values it needs.
  ///
  /// If there are none, it needs the state.
  var inputs: [any AnySelectionNode] { get }

  /// A hash that equal nodes have in common.
  var hash: Int { get }

  /// Whether a node selects the same values and compares them in the same way.
  ///
  /// Called without a lock, because the comparison may run user code.
  func matches(_ other: any AnySelectionNode) -> Bool

  /// The value in a state, computed from the values of the inputs if there are any.
  ///
  /// Called without a lock.
  func value(in state: AnyPublished, _ inputs: [AnyPublished]) -> AnyPublished

  /// The value, unless it repeats the last one.
  ///
  /// Called without a lock.
  func change(in state: AnyPublished, _ inputs: [AnyPublished], since last: AnyPublished?) -> AnyPublished?
}

extension AnySelectionNode {
  /// The value in a state, for a caller that shares no values with others.
  func value(in state: AnyPublished) -> AnyPublished {
    var known: [Int: [(node: any AnySelectionNode, value: AnyPublished)]] = [:]
    return value(in: state, &known)
  }

  /// The value in a state, for which no input is computed twice.
  ///
  /// Equal inputs can be different objects, because each use of a selection as an input adds another comparison.
  ///
  /// - Parameter known: The values that have been computed, by the hash of the node.
  private func value(
    in state: AnyPublished, _ known: inout [Int: [(node: any AnySelectionNode, value: AnyPublished)]]
  ) -> AnyPublished {
    if let same = known[hash]?.first(where: { $0.node.matches(self) }) { return same.value }
    let new = value(in: state, inputs.map { $0.value(in: state, &known) })
    known[hash, default: []].append((self, new))
    return new
  }
}
