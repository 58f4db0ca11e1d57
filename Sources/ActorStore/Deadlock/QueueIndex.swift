/// Finds the queue of a store by the store's ID, for code that knows only the turns that it is nested in.
///
/// A queue enters when its first action that can suspend begins, and leaves when it is deallocated. The index keeps no
/// queue alive. Only deferred calls look up queues.
enum QueueIndex {
  private struct Entry: Sendable {
    weak var queue: TurnQueue?
  }

  /// One of the tables and its lock, so that unrelated stores do not wait for each other.
  private final class Shard: Sendable {
    let entries = Locked<[StoreID: Entry]>([:])
  }

  private static let shards = (0..<64).map { _ in Shard() }

  static func add(_ queue: TurnQueue, as id: StoreID) {
    shard(of: id).entries.withLock { $0[id] = Entry(queue: queue) }
  }

  static func remove(_ id: StoreID) {
    shard(of: id).entries.withLock { $0[id] = nil }
  }

  static func queue(of id: StoreID) -> TurnQueue? {
    shard(of: id).entries.withLock { $0[id]?.queue }
  }

  private static func shard(of id: StoreID) -> Shard {
    shards[Int(truncatingIfNeeded: id.number) & (shards.count - 1)]
  }
}
