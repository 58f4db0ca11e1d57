/// The counts of all actions, in several parts, so that few threads wait for each other.
///
/// Each part has its own lock. A guard tries the same part first. So the reports of one store usually go to one part,
/// which stays in the cache of its processor.
final class ActionTable: Sendable {
  final class Part: Sendable {
    fileprivate let table: Locked<ActionTableStateMachine>

    fileprivate init(limit: Int) {
      table = Locked(ActionTableStateMachine(limit: limit))
    }

    /// Counts a report, or returns `false` if another thread uses the part or the action is new to it.
    func tryToAdd(_ sample: ActionSample, of action: ActionKey) -> Bool {
      table.withLockIfAvailable { $0.add(sample, of: action) } ?? false
    }
  }

  private let parts: [Part]
  private let names: Locked<ActionNames>

  init(limit: Int) {
    parts = (0..<8).map { _ in Part(limit: limit) }
    names = Locked(ActionNames(limit: limit))
  }

  /// Returns the part that the guard tries first.
  func part(for guard: AnyObject) -> Part {
    parts[AddressRows.hash(of: UInt(bitPattern: ObjectIdentifier(`guard`))) & (parts.count - 1)]
  }

  /// Counts a report.
  ///
  /// - Parameter first: The part to try first.
  func add(_ sample: ActionSample, of action: ActionKey, startingAt first: Part) {
    if withFreePart(first, { $0.add(sample, of: action) }) { return }
    let ownName = action.name
    let name = names.withLock { $0.admit(ownName) }
    _ = withFreePart(first) { table in
      table.add(sample, of: action, named: name)
      return true
    }
  }

  private func withFreePart(_ first: Part, _ body: (inout ActionTableStateMachine) -> Bool) -> Bool {
    if let result = first.table.withLockIfAvailable(body) { return result }
    for part in parts {
      if let result = part.table.withLockIfAvailable(body) { return result }
    }
    return first.table.withLock(body)
  }

  /// The counts by name, in the order of the names.
  ///
  /// Each report is counted entirely or not at all.
  var counts: [(name: String, counts: ActionCounts)] {
    var merged: [String: ActionCounts] = [:]
    for part in parts {
      for row in part.table.withLock({ $0.rows }) { merged[row.name, default: ActionCounts()].merge(row.counts) }
    }
    return merged.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
