/// How a selection computes and compares its values, for any type of states and values.
///
/// It has no state. The code that handles it is compiled once, for concrete types.
package protocol AnySelectionNode: AnyObject, Sendable {
  /// The key that equal nodes have in common, or `nil` if the node equals only itself.
  var key: SelectionKey? { get }

  /// The value in a state, unless it repeats the last one.
  ///
  /// Called without a lock.
  func change(in state: AnyPublished, since last: AnyPublished?) -> AnyPublished?
}

extension AnySelectionNode {
  var hash: Int { key?.hash ?? ObjectIdentifier(self).hashValue }

  /// Whether two nodes select the same values and compare them in the same way.
  ///
  /// Called without a lock, because the comparison may run user code.
  func matches(_ other: any AnySelectionNode) -> Bool {
    if self === other { return true }
    guard let key, let other = other.key else { return false }
    return key.matches(other)
  }
}

/// Selects values of one type from states of one type.
package final class SelectionNode<State: Sendable, Value: Sendable>: AnySelectionNode {
  package let key: SelectionKey?
  private let select: @Sendable (State) -> Value
  /// The offset of a value that the state stores, which is much faster to read than a key path.
  private let offset: Int?
  /// Compares values, or is `nil` if each commit counts as a change.
  private let equality: Equality?

  /// Selects the value at a key path.
  package init(_ path: any KeyPath<State, Value> & Sendable, _ equality: Equality?) {
    key = SelectionKey(path, dropsRepeats: equality != nil)
    select = { $0[keyPath: path] }
    offset = MemoryLayout<State>.offset(of: path)
    self.equality = equality
  }

  /// Selects the value of a closure.
  init(_ select: @escaping @Sendable (State) -> Value, _ equality: Equality) {
    key = nil
    self.select = select
    offset = nil
    self.equality = equality
  }

  package func change(in state: AnyPublished, since last: AnyPublished?) -> AnyPublished? {
    guard let last, let equality else { return Published(value(in: state)) }
    if let offset { return last.isEqual(toPartOf: state, at: offset, by: equality) ? nil : Published(value(in: state)) }
    let new = value(in: state)
    return last.isEqual(to: new, by: equality) ? nil : Published(new)
  }

  private func value(in state: AnyPublished) -> Value { state.read(as: State.self, select) }
}

/// A key path and its hash, by which consumers find a selection to share.
package struct SelectionKey: Sendable {
  private let path: any AnyKeyPath & Sendable
  /// Whether repeated values are dropped.
  private let dropsRepeats: Bool
  let hash: Int

  init(_ path: any AnyKeyPath & Sendable, dropsRepeats: Bool) {
    self.path = path
    self.dropsRepeats = dropsRepeats
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(dropsRepeats)
    hash = hasher.finalize()
  }

  func matches(_ other: SelectionKey) -> Bool { dropsRepeats == other.dropsRepeats && path == other.path }
}
