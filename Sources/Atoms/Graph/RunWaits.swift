/// A run that can wait for results.
protocol WaitingRun: Sendable {
  /// The node whose value the run sets.
  var node: NodeID { get }
  /// Whether no other run has replaced the run.
  func isNewest() -> Bool
}

/// The results that runs wait for.
///
/// Each operation takes constant time.
struct RunWaits<Waiter: WaitingRun>: Sendable {
  private struct Wait: Sendable {
    let run: Waiter
    /// The node with the runs of the awaited atom.
    let awaited: NodeID
    /// The index in `beneath`.
    var placeBeneath: Int
    /// The index in `above`.
    var placeAbove: Int
  }

  private var waits: [UInt64: Wait] = [:]
  /// The waits of the runs of each node.
  private var beneath: [NodeID: [UInt64]] = [:]
  /// The waits for each node.
  private var above: [NodeID: [UInt64]] = [:]
  private var last: UInt64 = 0

  var isEmpty: Bool { waits.isEmpty }

  /// Adds a wait, and returns its number.
  mutating func add(_ run: Waiter, for awaited: NodeID) -> UInt64 {
    last += 1
    let (place, other) = (beneath[run.node]?.count ?? 0, above[awaited]?.count ?? 0)
    waits[last] = Wait(run: run, awaited: awaited, placeBeneath: place, placeAbove: other)
    beneath[run.node, default: []].append(last)
    above[awaited, default: []].append(last)
    return last
  }

  /// Removes a wait, and returns its run, which the caller releases without a lock.
  mutating func remove(_ number: UInt64) -> Waiter? {
    guard let wait = waits.removeValue(forKey: number) else { return nil }
    if let moved = Self.remove(at: wait.placeBeneath, from: wait.run.node, in: &beneath) {
      waits[moved]?.placeBeneath = wait.placeBeneath
    }
    if let moved = Self.remove(at: wait.placeAbove, from: wait.awaited, in: &above) {
      waits[moved]?.placeAbove = wait.placeAbove
    }
    return wait.run
  }

  /// Removes a number from the list of a node, and returns the number that takes its place, if any.
  private static func remove(at place: Int, from node: NodeID, in lists: inout [NodeID: [UInt64]]) -> UInt64? {
    let last = lists[node]?.popLast()
    let count = lists[node]?.count ?? 0
    if count == 0 { lists[node] = nil }
    if place >= count { return nil }
    if let last { lists[node]?[place] = last }
    return last
  }
}

extension RunWaits: WaitEdges {
  func edge(_ index: Int, beneath node: NodeID) -> NodeID? {
    wait(index, in: beneath[node]).map { $0.run.isNewest() ? $0.awaited : .none }
  }

  func edge(_ index: Int, above node: NodeID) -> NodeID? {
    wait(index, in: above[node]).map { $0.run.isNewest() ? $0.run.node : .none }
  }

  private func wait(_ index: Int, in numbers: [UInt64]?) -> Wait? {
    guard let numbers, index < numbers.count else { return nil }
    return waits[numbers[index]]
  }
}
