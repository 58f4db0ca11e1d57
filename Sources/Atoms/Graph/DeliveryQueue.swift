/// The changes that wait for delivery to watchers.
///
/// One thread at a time delivers. Changes by other threads wait in the open round, which is evaluated at the revision
/// that is the newest when the round begins. A change by the delivering thread itself, in a callback, closes a round at
/// its own revision, so no change of a single thread is skipped.
struct DeliveryQueue<Value: Sendable>: Sendable {
  /// A new value of a watched source, for one watcher that starts with it, or for all watchers.
  struct Change: Sendable {
    let node: NodeID
    let value: Value
    var starting: Int?
  }

  /// A watcher of a derived node, which starts with the value at the revision of the round.
  struct Join: Hashable, Sendable {
    let node: NodeID
    let watcher: Int
  }

  struct Round: Sendable {
    /// The revision, which is pinned, or `nil` for the newest.
    var revision: Revision?
    var changes: [Change] = []
    /// The watched derived nodes that may have changed.
    var checks: [NodeID] = []
    var joins: [Join] = []

    var isEmpty: Bool { changes.isEmpty && checks.isEmpty && joins.isEmpty }
  }

  private(set) var isDelivering = false
  private var open = Round()
  private var closed: [Round] = []
  /// The derived nodes of the round that is being delivered.
  private var current: [NodeID] = []
  /// The number of consecutive rounds that callbacks caused.
  private(set) var rounds = 0

  var isEmpty: Bool { open.isEmpty && closed.isEmpty }

  mutating func add(_ change: Change) { open.changes.append(change) }
  mutating func add(check node: NodeID) { open.checks.append(node) }
  mutating func add(_ join: Join) { open.joins.append(join) }

  /// Whether a change by the delivering thread needs a separate round.
  var needsClosing: Bool { !open.isEmpty || !(closed.last?.checks ?? current).isEmpty }

  /// Closes the open round at a revision that the caller has pinned, and returns the nodes that it checks.
  ///
  /// Nodes of earlier rounds may be dirty, and then a change does not reach them again. So the round also checks those.
  mutating func close(at revision: Revision) -> [NodeID] {
    var round = open
    round.revision = revision
    let queued = round.checks
    let known = Set(queued)
    round.checks += (closed.last?.checks ?? current).filter { !known.contains($0) }
    closed.append(round)
    open = Round()
    return queued
  }

  /// Returns whether the caller becomes the delivering thread.
  ///
  /// - Parameter hasMore: Whether there is something to deliver that is not in the queue.
  mutating func begin(_ hasMore: Bool = false) -> Bool {
    if isEmpty && !hasMore || isDelivering { return false }
    isDelivering = true
    rounds = 0
    return true
  }

  /// Continues a delivery that has just ended, with changes that are not in the queue.
  ///
  /// - Parameter isCausedHere: Whether only the delivering thread has made these changes, or `nil` if they follow from
  ///   earlier ones.
  mutating func resume(isCausedHere: Bool?) {
    isDelivering = true
    if let isCausedHere { rounds = isCausedHere ? rounds + 1 : 0 }
  }

  /// Notes that another thread has made a change that this delivery contains.
  mutating func interruptSeries() { rounds = 0 }

  /// Takes the next round, or ends the delivery if there is none.
  mutating func take() -> Round? {
    if !closed.isEmpty {
      let round = closed.removeFirst()
      current = round.checks
      rounds += 1
      return round
    }
    if open.isEmpty {
      current = []
      isDelivering = false
      return nil
    }
    rounds = 0
    let round = open
    open = Round()
    current = round.checks
    return round
  }

  /// Forgets a node, and returns its values, which the caller releases without the lock.
  mutating func remove(_ node: NodeID) -> [Value] {
    var removed = open.remove(node)
    for index in closed.indices { removed += closed[index].remove(node) }
    current.removeAll { $0 == node }
    return removed
  }
}

extension DeliveryQueue.Round {
  fileprivate mutating func remove(_ node: NodeID) -> [Value] {
    let removed = changes.filter { $0.node == node }.map(\.value)
    if !removed.isEmpty { changes.removeAll { $0.node == node } }
    checks.removeAll { $0 == node }
    joins.removeAll { $0.node == node }
    return removed
  }
}

extension DeliveryQueue.Change: Equatable, Hashable where Value: Hashable {}
extension DeliveryQueue.Round: Equatable, Hashable where Value: Hashable {}
extension DeliveryQueue: Equatable, Hashable where Value: Hashable {}
