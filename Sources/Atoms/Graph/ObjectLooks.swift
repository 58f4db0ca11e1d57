/// The observations that derivations make of observable objects.
///
/// An object announces a change before it makes the change. It does not announce a change between a read and the start
/// of the observation. So an announcement, or a run that reads objects, begins a *series* of looks, which run the
/// derivation again after growing pauses. By the last look, the change is complete:
///
/// ```
/// announced    changed
///   | look      |
///   |  |   look |  look     look            look                              look
///   |  |<------>|<-1 ms->|<--4 ms-->|<--- 16 ms --->| ... up to a second
/// ```
///
/// Reads on the thread that has announced a change do not wait for a look. If the derivation was computed since the
/// announcement, the next read on the announcing thread computes it again.
struct ObjectLooks: Sendable {
  /// The number of a thread.
  typealias Caller = UInt

  /// A run of a derivation that has read objects, or an announcement.
  struct Look: Hashable, Sendable {
    let node: NodeID
    /// The first look since the node was added.
    fileprivate let first: UInt64
    /// The number of the series that it begins or belongs to.
    fileprivate let series: UInt64
  }

  private struct Record: Sendable {
    let first: UInt64
    /// The number of series that have begun.
    var series: UInt64 = 0
    /// The edition of the node's dependencies after the next look of the series.
    var nextEdition: UInt32?
    /// Whether an object has announced a change since the newest look.
    var hasEnded = false
    /// The caller that has announced the newest change, until the series ends.
    var caller: Caller?
  }

  private var records: [NodeID: Record] = [:]
  /// The number of series that each caller's announcements have begun and that have not ended.
  private var announcements: [Caller: Int] = [:]
  /// For each caller, the nodes that were computed since its announcements.
  private var stale: [Caller: Set<NodeID>] = [:]

  /// Begins the look at the values that a derivation has just read.
  ///
  /// - Parameters:
  ///   - node: The node of the derivation.
  ///   - number: A number that no other look of the graph has.
  ///   - edition: The edition of the node's dependencies after the run.
  /// - Returns: The look, and whether it begins a series, which the calling code must start.
  mutating func begin(_ node: NodeID, _ number: UInt64, edition: UInt32) -> (look: Look, beginsSeries: Bool) {
    var record = records[node] ?? Record(first: number)
    let beginsSeries = !isLook(node, edition: edition)
    if beginsSeries { record.series += 1 }
    record.hasEnded = false
    records[node] = record
    return (Look(node: node, first: record.first, series: record.series), beginsSeries)
  }

  /// Ends the newest look because an object has announced a change.
  ///
  /// - Parameters:
  ///   - look: The look that the object knows. The object may not know a later look yet.
  ///   - caller: The caller whose next reads must see the change, or `nil`.
  /// - Returns: The look that begins a series, which the calling code must start, or `nil` if the newest look had
  ///   ended.
  mutating func end(_ look: Look, by caller: Caller?) -> Look? {
    guard var record = records[look.node], record.first == look.first, !record.hasEnded else { return nil }
    forgetCaller(of: &record, look.node)
    record.series += 1
    record.nextEdition = nil
    record.hasEnded = true
    record.caller = caller
    if let caller { announcements[caller, default: 0] += 1 }
    records[look.node] = record
    return Look(node: look.node, first: record.first, series: record.series)
  }

  /// Whether a run that ends with an edition of the dependencies is a look of a series.
  func isLook(_ node: NodeID, edition: UInt32) -> Bool { records[node]?.nextEdition == edition }

  /// Records that a derivation has a new value, which may not include a change that a caller has announced.
  mutating func notePublished(_ node: NodeID) {
    if !announcements.isEmpty, let caller = records[node]?.caller { stale[caller, default: []].insert(node) }
  }

  /// Returns whether the derivation must run now, because an object has changed since a look.
  mutating func follow(_ look: Look) -> Bool {
    guard records[look.node]?.first == look.first else { return false }
    records[look.node]?.nextEdition = nil
    return true
  }

  /// Returns whether the derivation must run again now, because the series of a look is still the newest one.
  ///
  /// - Parameters:
  ///   - look: The look.
  ///   - edition: The edition of the node's dependencies after that run.
  mutating func lookAgain(_ look: Look, edition: UInt32) -> Bool {
    guard isNewest(look) else { return false }
    records[look.node]?.nextEdition = edition
    return true
  }

  /// Ends a series, if it is still the newest one.
  mutating func finish(_ look: Look) {
    guard isNewest(look), var record = records[look.node] else { return }
    forgetCaller(of: &record, look.node)
    record.nextEdition = nil
    records[look.node] = record
  }

  private func isNewest(_ look: Look) -> Bool {
    records[look.node].map { $0.first == look.first && $0.series == look.series } ?? false
  }

  /// Takes the nodes that must run again for a caller, or returns `nil` if the caller has not announced a change
  /// recently.
  ///
  /// - Parameters:
  ///   - caller: The caller.
  ///   - edition: A closure that returns the edition of a node's dependencies after a run that begins now.
  mutating func takeStale(of caller: Caller, edition: (NodeID) -> UInt32) -> [NodeID]? {
    if announcements[caller] == nil { return nil }
    let nodes = (stale.removeValue(forKey: caller) ?? []).sorted { $0.index < $1.index }
    // These runs are part of the series.
    for node in nodes { records[node]?.nextEdition = edition(node) }
    return nodes
  }

  /// Forgets a node that is gone.
  mutating func forget(_ node: NodeID) {
    if !records.isEmpty, var record = records.removeValue(forKey: node) { forgetCaller(of: &record, node) }
  }

  private mutating func forgetCaller(of record: inout Record, _ node: NodeID) {
    guard let caller = record.caller.take() else { return }
    stale[caller]?.remove(node)
    announcements[caller] = announcements[caller].flatMap { $0 > 1 ? $0 - 1 : nil }
    if announcements[caller] == nil { stale[caller] = nil }
  }
}
