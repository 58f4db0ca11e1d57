/// The observations that derivations make of observable objects.
///
/// An object announces a change before it makes the change. It does not announce a change between a read and the start
/// of the observation. So the derivation runs twice for each value: once at first, and again a moment later.
struct ObjectLooks: Sendable {
  private var newest: [NodeID: Look] = [:]

  /// One run of a derivation that has read objects.
  struct Look: Hashable, Sendable {
    fileprivate let node: NodeID
    /// The first look since the node was added.
    fileprivate let first: UInt64
    fileprivate let number: UInt64
    /// The edition of the node's dependencies after the run that looks at the same value again, if there is one.
    fileprivate var nextEdition: UInt32?
    /// Whether an object has announced a change.
    fileprivate var hasEnded = false
  }

  /// Begins the look at the values that a derivation has just read.
  ///
  /// - Parameters:
  ///   - node: The node of the derivation.
  ///   - number: A number that no other look of the graph has.
  ///   - edition: The edition of the node's dependencies after the run.
  /// - Returns: The look, and whether the derivation must soon run again.
  mutating func begin(_ node: NodeID, _ number: UInt64, edition: UInt32) -> (look: Look, mustLookAgain: Bool) {
    let former = newest[node]
    let look = Look(node: node, first: former?.first ?? number, number: number)
    newest[node] = look
    return (look, former?.nextEdition != edition)
  }

  /// Ends the newest look because an object has announced a change, and returns whether it had not ended.
  ///
  /// - Parameter look: The look that the object knows. A later look may not be known to the object yet.
  mutating func end(_ look: Look) -> Bool {
    guard let known = newest[look.node], known.first == look.first, !known.hasEnded else { return false }
    newest[look.node]?.hasEnded = true
    newest[look.node]?.nextEdition = nil
    return true
  }

  /// Returns whether the derivation must run now, because an object has changed since a look.
  mutating func follow(_ look: Look) -> Bool {
    guard newest[look.node]?.first == look.first else { return false }
    newest[look.node]?.nextEdition = nil
    return true
  }

  /// Returns whether the derivation must run now, because this look is still the newest one.
  ///
  /// - Parameters:
  ///   - look: The look.
  ///   - edition: The edition of the node's dependencies after that run.
  mutating func lookAgain(_ look: Look, edition: UInt32) -> Bool {
    guard let known = newest[look.node], known.number == look.number, !known.hasEnded else { return false }
    newest[look.node]?.nextEdition = edition
    return true
  }

  /// Forgets a node that is gone.
  mutating func forget(_ node: NodeID) {
    if !newest.isEmpty { newest[node] = nil }
  }
}
