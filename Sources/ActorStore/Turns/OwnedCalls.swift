/// The deferred calls of one action, as pure logic.
///
/// A *scope* is a part of the action whose calls are given up if it fails: a member of a transaction, or an attempt to
/// run an action inside a middleware. Scopes are numbered in the order in which they begin, and the calls outside all
/// scopes have the number 0. One scope may contain others, but two never overlap. So at the end of a scope, the scopes
/// in it are those whose numbers are at least as large as its own.
///
/// Adding a call takes logarithmic time, and so does giving it up. Each call is given up at most once.
struct OwnedCalls<Call: Sendable>: Sendable {
  fileprivate struct Owned: Sendable {
    let call: Call
    let scope: UInt64
    /// The position of the call among the calls of its owner.
    let position: Int
  }

  /// The calls as a binary heap, with the largest scope first.
  private var heap: [Owned] = []
  /// The number of calls added so far.
  private var count = 0
  /// The numbers of the scopes that failed, in ascending order.
  private var failed: [ClosedRange<UInt64>] = []

  /// The calls in the order in which they were made.
  var inOrder: [Call] { Self.inOrder(heap) }

  /// Removes and returns all calls, in the order in which they were made.
  ///
  /// Later calls of failed scopes are still refused.
  mutating func takeAll() -> [Call] {
    defer { heap = [] }
    return inOrder
  }

  /// Adds a call, or returns `false` if its scope, or one around it, has failed.
  ///
  /// A task that outlives its scope may still make calls.
  mutating func add(_ call: Call, in scope: UInt64) -> Bool {
    if hasFailed(scope) { return false }
    count += 1
    heap.append(Owned(call: call, scope: scope, position: count))
    siftUp()
    return true
  }

  /// Removes and returns the calls of a scope that fails, in the order in which they were made.
  ///
  /// - Parameter last: A number that is at least as large as those of all scopes that have begun.
  mutating func fail(_ scope: UInt64, through last: UInt64) -> [Call] {
    var first = scope
    // Successive failures share a range, so that many attempts take no memory.
    while let former = failed.last, former.upperBound + 1 >= first {
      first = min(first, former.lowerBound)
      failed.removeLast()
    }
    failed.append(first...last)
    var removed: [Owned] = []
    while let first = heap.first, first.scope >= scope {
      removed.append(first)
      removeFirst()
    }
    return Self.inOrder(removed)
  }

  private static func inOrder(_ calls: [Owned]) -> [Call] {
    calls.sorted { $0.position < $1.position }.map(\.call)
  }

  private func hasFailed(_ scope: UInt64) -> Bool {
    // The first range that ends at the scope or later.
    var (low, high) = (0, failed.count)
    while low < high {
      let middle = (low + high) / 2
      if failed[middle].upperBound < scope { low = middle + 1 } else { high = middle }
    }
    return low < failed.count && failed[low].contains(scope)
  }

  // MARK: The heap

  private mutating func siftUp() {
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2].scope < heap[child].scope {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while 2 * parent + 1 < heap.count {
      var child = 2 * parent + 1
      if child + 1 < heap.count, heap[child].scope < heap[child + 1].scope { child += 1 }
      if heap[parent].scope >= heap[child].scope { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}

extension OwnedCalls.Owned: Equatable, Hashable where Call: Hashable {}
extension OwnedCalls: Equatable, Hashable where Call: Hashable {}
