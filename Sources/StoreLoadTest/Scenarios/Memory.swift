import ActorStore
import HeapCalls
import Synchronization

/// What subscribers keep: bytes of the heap stand in their column, and must stay below what is promised.
enum Memory {
  static let all =
    heap_bytes_in_use() > 0
    ? [
      Scenario(name: unread, run: streams),
      Scenario(name: parked, run: parking),
      Scenario(name: shared, run: backlog),
      Scenario(name: flat, run: newest),
    ] : []

  private static let unread = "bytes of a stream that is not read"
  private static let parked = "bytes of one that waits, beyond one by hand"
  private static let shared = "bytes of 1,000 states of 1 KB for 1,000"
  private static let flat = "bytes of newest(1), 100,000 commits later"

  /// How much more of the heap is in use after `body` than before.
  private static func bytes(_ body: () async -> Void) async -> Int {
    let before = heap_bytes_in_use()
    await body()
    return heap_bytes_in_use() - before
  }

  private static let subscribers = 10_000

  @Sendable private static func streams(_ context: Context) async -> Row {
    context.watch { unread }
    let store = Store(Counter())
    // The first of anything brings what all share.
    var streams = [store.states]
    streams.reserveCapacity(subscribers + 1)
    let bytes = await bytes { for _ in 0..<subscribers { streams.append(store.states) } } / subscribers
    withExtendedLifetime(streams) {}
    return Row(
      name: unread, operations: subscribers, bytes: bytes,
      violations: context.expect("\(unread): \(bytes), more than 1 KB", bytes > 1_024, false))
  }

  /// Beyond a task that waits for a stream made by hand: what a task takes to wait for any stream is not the store's.
  @Sendable private static func parking(_ context: Context) async -> Row {
    context.watch { parked }
    let store = Store(Counter())
    let started = Tally()
    let waiting = await tasks(context, started) {
      let states = store.states
      return { for await _ in states { started.add(1) } }
    }
    let continuations = Mutex<[AsyncStream<Counter>.Continuation]>([])
    continuations.withLock { $0.reserveCapacity(subscribers) }
    let byHand = await tasks(context, started) {
      let (states, continuation) = AsyncStream<Counter>.makeStream()
      continuation.yield(Counter())
      continuations.withLock { $0.append(continuation) }
      return { for await _ in states { started.add(1) } }
    }
    store.close()
    for continuation in continuations.withLock({ $0 }) { continuation.finish() }
    for task in waiting.tasks + byHand.tasks { await task.value }
    let bytes = waiting.bytes - byHand.bytes
    return Row(
      name: parked, operations: subscribers, bytes: bytes,
      violations: context.expect("\(parked): \(bytes), more than 1 KB", bytes > 1_024, false))
  }

  private static func tasks(
    _ context: Context,
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
      context.beat()
    }
    return (tasks, bytes / subscribers)
  }

  private struct Page: Sendable {
    var bytes: [UInt8] = []
  }

  @Sendable private static func backlog(_ context: Context) async -> Row {
    context.watch { shared }
    let store = Store(Page())
    let streams = (0..<1_000).map { _ in store.states }
    let bytes = await bytes {
      for number in 0..<1_000 {
        await store.dispatch { $0.bytes = .init(repeating: UInt8(number % 256), count: 1_024) }
      }
    }
    withExtendedLifetime(streams) {}
    return Row(
      name: shared, operations: 1_000, bytes: bytes,
      violations: context.expect("\(shared): \(bytes), more than once", bytes > 2 * 1_024 * 1_000, false))
  }

  @Sendable private static func newest(_ context: Context) async -> Row {
    context.watch { flat }
    let store = Store(Counter())
    let streams = (0..<1_000).map { _ in store.states(bufferingPolicy: .bufferingNewest(1)) }
    for _ in 0..<1_000 { await store.dispatch(Increment(task: 0)) }
    let bytes = await bytes { for _ in 0..<100_000 { await store.dispatch(Increment(task: 0)) } }
    withExtendedLifetime(streams) {}
    return Row(
      name: flat, operations: 100_000, bytes: bytes,
      violations: context.expect("\(flat): \(bytes), does not stay flat", bytes > 16_384, false))
  }
}
