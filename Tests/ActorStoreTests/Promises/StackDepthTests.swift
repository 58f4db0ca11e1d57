import TestSize
import Testing

@testable import ActorStore

/// On any executor, the stack does not grow with the length of a queue or of a chain of stores.
@Suite struct StackDepthTests {
  private struct Count: Sendable {
    var value = 0
  }

  private struct Increment: Mutation {
    func run(_ count: inout Count) { count.value += 1 }
  }

  private struct IncrementLater: Action {
    func run(_ count: inout Count) async { count.value += 1 }
  }

  @Test func aLongQueueOnAnInlineExecutor() async {
    let length = TestSize.length(100_000, short: 20_000)
    let (store, end) = (Store(Count()), Gate())
    let executor = InlineExecutor()
    store.send { _ async in await end.wait() }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<length {
        group.addTask(executorPreference: executor) {
          if index % 2 == 0 { await store.dispatch(Increment()) } else { await store.dispatch(IncrementLater()) }
        }
      }
      while store.queue.queuedCount < length { await Task.yield() }
      end.open()
    }
    #expect(await store.state.value == length)
  }

  /// Stores whose guards send to the next store after each commit.
  private final class Chain: Sendable {
    private struct Relay: Guard {
      let chain: Chain
      let next: Int
      let suspends: Bool

      func didUpdate<A: Action<Count>>(_ action: A, old: Count?, new: Count) {
        guard let next = chain.store(next) else { return }
        if suspends { next.send(IncrementLater()) } else { next.send(Increment()) }
      }
    }

    private let stores = Locked<[Store<Count>]>([])
    let last: Store<Count>

    init(suspends: Bool = false) {
      let last = Store(Count())
      self.last = last
      let all = (1..<20_000).map { Store(Count(), guards: [Relay(chain: self, next: $0, suspends: suspends)]) }
      stores.withLock { $0 = all + [last] }
    }

    func store(_ index: Int) -> Store<Count>? {
      stores.withLock { $0.indices.contains(index) ? $0[index] : nil }
    }

    /// Releases the stores, which form a reference cycle with their guards.
    func end() {
      let all = stores.withLock { stores in
        defer { stores = [] }
        return stores
      }
      withExtendedLifetime(all) {}
    }
  }

  @Test func aLongChainOfStoresThatSendAfterTheirCommits() async throws {
    let chain = Chain()
    chain.store(0)?.send(Increment())
    #expect(try await chain.last.select().first { $0.value == 1 }.value == 1)
    await chain.store(0)?.dispatch(Increment())
    #expect(try await chain.last.select().first { $0.value == 2 }.value == 2)
    chain.end()
  }

  @Test(arguments: [true, false]) func aLongChainOfStoresOnAnInlineExecutor(suspends: Bool) async throws {
    let chain = Chain(suspends: suspends)
    await withTaskExecutorPreference(InlineExecutor()) {
      chain.store(0)?.send(Increment())
      await chain.store(0)?.dispatch(IncrementLater())
    }
    #expect(try await chain.last.select().first { $0.value == 2 }.value == 2)
    chain.end()
  }

  /// Each filter sends to the next store.
  @Test func aLongChainOfFilters() async throws {
    let stores = (0..<20_000).map { _ in Store(Count()) }
    let streams = stores.indices.dropLast().map { index in
      stores[index].states { previous, _ in
        if previous != nil { stores[index + 1].send(Increment()) }
        return true
      }
    }
    let readers = streams.map { stream in Task { for await state in stream where state.value > 0 { break } } }
    for store in stores.dropLast() { while store.hub.states.waitingCount == 0 { await Task.yield() } }
    stores[0].send(Increment())
    #expect(try await stores[stores.count - 1].select().first { $0.value == 1 }.value == 1)
    for reader in readers { await reader.value }
  }
}
