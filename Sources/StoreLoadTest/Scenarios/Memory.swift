import ActorStore
import HeapCalls
import Synchronization

/// What subscribers keep: bytes of the heap, which must stay below what is promised.
enum Memory {
  static let scenario = Scenario(
    name: "memory", summary: "what streams keep: unread, parked, behind", sizes: [.subscribers]
  ) { options in
    // Only of glibc's heap is it known how much is in use.
    if heap_bytes_in_use() == 0 { return [] }
    let subscribers = options.subscribers ?? 10_000
    return [
      Case(name: "a stream that is not read", weight: 0.2) { await unread($0, subscribers) },
      Case(name: "one that waits, beyond one by hand", weight: 0.5) { await parked($0, subscribers) },
      Case(name: "1000 states of 1 KB for 1000", weight: 0.2, run: shared),
      Case(name: "newest(1), 100000 commits later", weight: 0.5, run: flat),
    ]
  }

  /// How much more of the heap is in use after `body` than before.
  private static func bytes(_ body: () async -> Void) async -> Int {
    let before = heap_bytes_in_use()
    await body()
    return heap_bytes_in_use() - before
  }

  private static func unread(_ bench: Bench, _ subscribers: Int) async -> Figures {
    let store = Store(Counter())
    // The first of anything brings what all share.
    var streams = [store.states]
    streams.reserveCapacity(subscribers + 1)
    let bytes = await bytes { for _ in 0..<subscribers { streams.append(store.states) } } / subscribers
    withExtendedLifetime(streams) {}
    bench.expect("\(bytes) bytes, more than 1 KB", bytes > 1_024, false)
    return Figures(operations: subscribers, heapBytes: bytes)
  }

  /// Beyond a task that waits for a stream made by hand: what a task takes to wait for any stream is not the store's.
  private static func parked(_ bench: Bench, _ subscribers: Int) async -> Figures {
    let store = Store(Counter())
    let started = Tally()
    let waiting = await tasks(bench, subscribers, started) {
      let states = store.states
      return { for await _ in states { started.add(1) } }
    }
    let continuations = Mutex<[AsyncStream<Counter>.Continuation]>([])
    continuations.withLock { $0.reserveCapacity(subscribers) }
    let byHand = await tasks(bench, subscribers, started) {
      let (states, continuation) = AsyncStream<Counter>.makeStream()
      continuation.yield(Counter())
      continuations.withLock { $0.append(continuation) }
      return { for await _ in states { started.add(1) } }
    }
    store.close()
    for continuation in continuations.withLock({ $0 }) { continuation.finish() }
    for task in waiting.tasks + byHand.tasks { await task.value }
    let bytes = waiting.bytes - byHand.bytes
    bench.expect("\(bytes) bytes, more than 1 KB", bytes > 1_024, false)
    return Figures(operations: subscribers, heapBytes: bytes)
  }

  private static func tasks(
    _ bench: Bench,
    _ subscribers: Int,
    _ started: Tally,
    _ make: () -> (@Sendable () async -> Void)
  ) async -> (tasks: [Task<Void, Never>], bytes: Int) {
    let before = started.total
    var tasks: [Task<Void, Never>] = []
    tasks.reserveCapacity(subscribers)
    let bytes = await bytes {
      for _ in 0..<subscribers {
        let body = make()
        tasks.append(Task { await body() })
      }
      while started.total < before + subscribers { await Task.yield() }
      bench.beat()
    }
    return (tasks, bytes / subscribers)
  }

  private struct Page: Sendable {
    var bytes: [UInt8] = []
  }

  /// Kept once for all.
  @Sendable private static func shared(_ bench: Bench) async -> Figures {
    let store = Store(Page())
    let streams = (0..<1_000).map { _ in store.states }
    let bytes = await bytes {
      for number in 0..<1_000 {
        await store.dispatch { $0.bytes = .init(repeating: UInt8(number % 256), count: 1_024) }
      }
    }
    withExtendedLifetime(streams) {}
    bench.expect("\(bytes) bytes, more than once", bytes > 2 * 1_024 * 1_000, false)
    return Figures(operations: 1_000, heapBytes: bytes)
  }

  @Sendable private static func flat(_ bench: Bench) async -> Figures {
    let store = Store(Counter())
    let streams = (0..<1_000).map { _ in store.states(bufferingPolicy: .bufferingNewest(1)) }
    for _ in 0..<1_000 { await store.dispatch(Increment(task: 0)) }
    let bytes = await bytes { for _ in 0..<100_000 { await store.dispatch(Increment(task: 0)) } }
    withExtendedLifetime(streams) {}
    bench.expect("\(bytes) bytes, does not stay flat", bytes > 16_384, false)
    return Figures(operations: 100_000, heapBytes: bytes)
  }
}
