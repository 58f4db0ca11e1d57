import Synchronization

/// The queue length of one store.
final class QueueGauge: Sendable {
  private let store: GuardedStore
  private let longest = Atomic<UInt32>(0)
  /// The index in the list of all gauges, accessed only under the lock of that list.
  fileprivate let place = Atomic<UInt32>(0)

  init(_ store: GuardedStore) {
    self.store = store
  }

  var storeName: String { store.name.text }

  /// Notes a length that a call found.
  func note(_ length: Int) {
    let length = UInt32(clamping: length)
    // The load spares most calls a write to memory that other threads share.
    if length > longest.load(ordering: .relaxed) { _ = longest.max(length, ordering: .relaxed) }
  }

  /// The length now, and the largest one so far.
  var lengths: (now: Int, longest: Int) {
    let now = store.queue.queuedCount
    note(now)
    return (now, Int(longest.load(ordering: .relaxed)))
  }
}

/// The gauges of all stores that exist, in any order.
///
/// A gauge knows its store's queue, but does not hold the store. It is in this list from the creation of the store
/// until its release. Each gauge knows its place, so adding and removing one takes constant time and little memory.
final class QueueGauges: Sendable {
  private let gauges = Locked<[QueueGauge]>([])

  func insert(_ gauge: QueueGauge) {
    gauges.withLock { gauges in
      gauge.place.store(UInt32(gauges.count), ordering: .relaxed)
      gauges.append(gauge)
    }
  }

  func remove(_ gauge: QueueGauge) {
    // The caller still holds the gauge, so nothing is released under the lock.
    gauges.withLock { gauges in
      let place = gauge.place.load(ordering: .relaxed)
      gauges.swapAt(Int(place), gauges.count - 1)
      gauges[Int(place)].place.store(place, ordering: .relaxed)
      gauges.removeLast()
      // An array never shrinks.
      if gauges.isEmpty { gauges = [] }
    }
  }

  var all: [QueueGauge] { gauges.withLock { $0 } }
}
