import ActorStore
import HeapCalls
import Synchronization

/// The heap memory of subscribers and of waiting calls, which must stay within limits.
enum Memory {
  static let scenario = Scenario(
    name: "memory", summary: "the heap use of streams and of waiting calls", sizes: [.subscribers]
  ) { options in
    // Only glibc reports how much of its heap is in use.
    if heap_bytes_in_use() == 0 { return [] }
    let subscribers = options.subscribers ?? 10_000
    return [
      Case(name: "an unread stream", weight: 0.2, limit: .bytes(1_024)) { await unread($0, subscribers) },
      Case(name: "a store's first stream of values", weight: 0.2, limit: .bytes(2_048)) {
        await selected($0, subscribers)
      },
      Case(name: "a parked stream, beyond a hand-written one", weight: 0.5, limit: bytesOfTasks(1_024)) {
        await parked($0, subscribers)
      },
      Case(name: "1000 states of 1 KB for 1000 streams", weight: 0.2, limit: .bytes(2 * 1_024 * 1_000), run: shared),
      Case(name: "newest(1), 100000 commits later", weight: 0.5, run: flat),
      Case(name: "\(subscribers) pairs that parked and left", weight: 0.5) { await departed($0, subscribers) },
      Case(name: "a waiting mutation, beyond a bare continuation", weight: 0.5, limit: waitingCall) { bench in
        await waiting(bench, subscribers) { store in Task { _ = await store.dispatch(Increment(task: 0)) } }
      },
      Case(name: "a waiting action, beyond a bare continuation", weight: 0.5, limit: waitingCall) { bench in
        await waiting(bench, subscribers) { store in Task { _ = await store.dispatch(IncrementLater(task: 0)) } }
      },
      // A task's memory grows in slabs of about 1 KB, and the frames of this call need another one.
      Case(
        name: "a waiting closure, beyond a bare continuation", weight: 0.5,
        limit: bytesOfTasks(1_400 + moreWithoutEntries)
      ) { bench in
        await waiting(bench, subscribers) { store in Task { _ = await store.dispatch { $0.count += 1 } } }
      },
      Case(name: "a sent, waiting mutation", weight: 0.5, limit: bytesOfTasks(600 + moreWithoutEntries)) { bench in
        await sent(bench, subscribers)
      },
    ]
  }

  /// The additional bytes of a waiting call in a build with the public API only.
  ///
  /// The frames of `withTaskCancellationHandler` do not fit into the initial memory of a task.
  private static let moreWithoutEntries = RuntimeEntries.areUsed ? 0 : 1_200

  private static let waitingCall = bytesOfTasks(300 + moreWithoutEntries)

  /// Returns a limit, or `nil` in a debug build, where tasks use several times as much memory.
  private static func bytesOfTasks(_ most: Int) -> Limit? { isDebug ? nil : .bytes(most) }

  private static func unread(_ bench: Bench, _ subscribers: Int) async -> Figures {
    let store = Store(Counter())
    // The first stream allocates memory that all streams share.
    var streams = [store.states]
    streams.reserveCapacity(subscribers + 1)
    let bytes = await heapBytes { for _ in 0..<subscribers { streams.append(store.states) } } / subscribers
    withExtendedLifetime(streams) {}
    return Figures(operations: subscribers, heapBytes: bytes)
  }

  /// Measures a stream of values that creates its selection.
  private static func selected(_ bench: Bench, _ count: Int) async -> Figures {
    let stores = (0...count).map { _ in Store(Counter()) }
    // The first stream allocates memory that all streams share.
    var streams = [stores[count].select(\.count).values]
    streams.reserveCapacity(count + 1)
    let bytes =
      await heapBytes { for store in stores.dropLast() { streams.append(store.select(\.count).values) } } / count
    withExtendedLifetime(streams) {}
    return Figures(operations: count, heapBytes: bytes)
  }

  /// Measures a task that waits for a stream of the store, minus a task that waits for a hand-written stream.
  ///
  /// The difference excludes the memory that a task needs to wait for any stream.
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
    let bytes = await heapBytes {
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

  /// Measures states that many unread streams share.
  @Sendable private static func shared(_ bench: Bench) async -> Figures {
    let store = Store(Page())
    let streams = (0..<1_000).map { _ in store.states }
    let bytes = await heapBytes {
      for number in 0..<1_000 {
        await store.dispatch { $0.bytes = .init(repeating: UInt8(number % 256), count: 1_024) }
      }
    }
    withExtendedLifetime(streams) {}
    return Figures(operations: 1_000, heapBytes: bytes)
  }

  /// Measures the growth of streams that are behind and keep only the newest state.
  @Sendable private static func flat(_ bench: Bench) async -> Figures {
    let store = Store(Counter())
    let streams = (0..<1_000).map { _ in store.states(bufferingPolicy: .bufferingNewest(1)) }
    for _ in 0..<1_000 { await store.dispatch(Increment(task: 0)) }
    let growth = await bench.expectNoLeak("streams that are behind", atMost: 16_384) {
      await heapBytes { for _ in 0..<100_000 { await store.dispatch(Increment(task: 0)) } }
    }
    withExtendedLifetime(streams) {}
    return Figures(operations: 100_000, heapBytes: growth)
  }

  /// Measures the memory that canceled streams leave behind.
  ///
  /// The store never commits, and has a permanent subscriber. The canceled streams have waited for a commit.
  private static func departed(_ bench: Bench, _ subscribers: Int) async -> Figures {
    let store = Store(Counter())
    let permanent = store.states
    // The first rounds allocate memory that later rounds reuse.
    for _ in 0..<100 { await parkAndLeave(store) }
    let growth = await bench.expectNoLeak("streams that left (P14)", atMost: 16_384) {
      await heapBytes {
        for number in 0..<subscribers {
          await parkAndLeave(store)
          if number % 100 == 0 { bench.beat() }
        }
      }
    }
    withExtendedLifetime(permanent) {}
    return Figures(operations: subscribers, heapBytes: growth)
  }

  private static func parkAndLeave(_ store: Store<Counter>) async {
    for states in [store.states, store.states(bufferingPolicy: .bufferingOldest(1))] {
      let taken = Tally()
      let reader = Task {
        for await _ in states { taken.add(1) }
      }
      while taken.total == 0 { await Task.yield() }
      // The reader has parked, or is about to park.
      await Task.yield()
      reader.cancel()
      await reader.value
    }
  }

  // MARK: Waiting calls

  /// A store whose turn is taken until `finish()`.
  private struct Busy {
    let store = Store(Counter())
    private let open: AsyncStream<Void>.Continuation

    init(_ bench: Bench) async {
      let (gate, open) = AsyncStream<Void>.makeStream()
      self.open = open
      store.send { _ async in for await _ in gate {} }
      bench.watch { [store] in "\(store.queueLength) calls waiting" }
    }

    /// Returns when at least `count` calls wait.
    func areQueued(_ count: Int) async {
      while store.queueLength < count { await Task.yield() }
    }

    /// Releases the turn, and returns when all waiting calls have had theirs.
    func finish() async {
      open.finish()
      await store.dispatch { _ in }
    }
  }

  /// Tasks that wait only to be resumed.
  private final class Parked: Sendable {
    private let waiters = Mutex<[UnsafeContinuation<Void, Never>]>([])

    init(_ capacity: Int) { waiters.withLock { $0.reserveCapacity(capacity) } }

    var count: Int { waiters.withLock { $0.count } }

    func park() async {
      await withUnsafeContinuation { waiter in waiters.withLock { $0.append(waiter) } }
    }

    func resumeAll() {
      for waiter in waiters.withLock({ $0 }) { waiter.resume() }
    }
  }

  /// Measures a waiting call, minus a task that waits on a bare continuation.
  private static func waiting(
    _ bench: Bench,
    _ count: Int,
    _ call: (Store<Counter>) -> Task<Void, Never>
  ) async -> Figures {
    let busy = await Busy(bench)
    let store = busy.store
    // The first call allocates memory that all calls share.
    let first = call(store)
    await busy.areQueued(1)
    var tasks: [Task<Void, Never>] = []
    tasks.reserveCapacity(2 * count)
    let dispatched = await heapBytes {
      for _ in 0..<count { tasks.append(call(store)) }
      await busy.areQueued(count + 1)
      bench.beat()
    }
    let parked = Parked(count)
    let bare = await heapBytes {
      for _ in 0..<count { tasks.append(Task { await parked.park() }) }
      while parked.count < count { await Task.yield() }
      bench.beat()
    }
    parked.resumeAll()
    await busy.finish()
    for task in tasks { await task.value }
    await first.value
    let beyond = (dispatched - bare) / count
    return Figures(operations: count, heapBytes: beyond)
  }

  private static func sent(_ bench: Bench, _ count: Int) async -> Figures {
    var waiting = Int.max
    // The memory of tasks that have just ended may not be free yet, and threads keep some memory for later tasks.
    _ = await bench.expectNoLeak("calls that have ended", atMost: max(10 * count, 65_536)) {
      let busy = await Busy(bench)
      busy.store.send(Increment(task: 0))
      return await heapBytes {
        let sent = await heapBytes { for _ in 0..<count { busy.store.send(Increment(task: 0)) } }
        waiting = min(waiting, sent / count)
        await busy.finish()
      }
    }
    return Figures(operations: count, heapBytes: waiting)
  }
}
