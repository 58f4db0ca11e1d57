import Synchronization

/// The queue length of one store.
final class QueueGauge: Sendable {
  private let store: GuardedStore
  private let longest = Atomic<Int>(0)

  init(_ store: GuardedStore) {
    self.store = store
  }

  var storeName: String { store.name }

  /// Notes a length that a call found.
  func note(_ length: Int) {
    // The load spares most calls a write to memory that other threads share.
    if length > longest.load(ordering: .relaxed) { _ = longest.max(length, ordering: .relaxed) }
  }

  /// The length now, and the largest one so far.
  var lengths: (now: Int, longest: Int) {
    let now = store.queueLength
    note(now)
    return (now, longest.load(ordering: .relaxed))
  }
}

/// The gauges of all stores that exist.
///
/// A gauge knows its store's queue, but does not hold the store. It is here from the creation of the store until its
/// release.
final class QueueGauges: Sendable {
  private let gauges = Locked<[ObjectIdentifier: QueueGauge]>([:])

  /// Takes constant time on average.
  func insert(_ gauge: QueueGauge) {
    gauges.withLock { $0[ObjectIdentifier(gauge)] = gauge }
  }

  /// Takes constant time.
  func remove(_ gauge: QueueGauge) {
    // The caller still holds the gauge, so nothing is released under the lock.
    gauges.withLock { gauges in
      gauges[ObjectIdentifier(gauge)] = nil
      // A dictionary never shrinks.
      if gauges.isEmpty { gauges = [:] }
    }
  }

  /// The gauges of all stores, in any order.
  var all: [QueueGauge] {
    Array(gauges.withLock { $0 }.values)
  }
}
