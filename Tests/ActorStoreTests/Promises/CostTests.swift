import HeapCalls
import TestSize
import Testing

@testable import ActorStore

/// P16 and P17, measured in copies and heap calls, not in time.
@Suite struct CostTests {
  /// A state that reveals whether its storage was copied.
  private struct Big: Sendable {
    var numbers: [Int]
    /// The address of the array's storage, which changes when the array is copied before a write.
    var storage: UInt { numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
  }

  private struct Bump: Mutation {
    func run(_ big: inout Big) { big.numbers[0] += 1 }
  }

  private struct BumpOrFail: Mutation {
    func run(_ big: inout Big) throws(Boom) { big.numbers[0] += 1 }
  }

  private func generically<A: Action>(_ action: A, on store: Store<Big>) async throws where A.State == Big {
    _ = try await store.dispatch(action)
  }

  @Test func p16_everyWayToDispatchAnInfallibleMutationEditsInPlace() async throws {
    let store = Store(Big(numbers: Array(0..<1_000)))
    func storage() async -> UInt { await store.dispatch { $0.storage }.output ?? 0 }
    let first = await storage()
    await store.dispatch(Bump())
    await store.dispatch { $0.numbers[0] += 1 }
    try await generically(Bump(), on: store)
    let erased: any Action<Big> = Bump()
    _ = try await store.dispatch(erased)
    await store.dispatch(Bump(), returning: { $0.numbers[0] })
    store.send(Bump())
    let sent = store.send { $0.numbers[0] += 1 }
    _ = await sent.outcome
    #expect(await storage() == first)
    #expect(await store.state.numbers[0] == 7)
    // The same is true under contention and for a call from an actor.
    let end = Gate()
    store.send { _ async in await end.wait() }
    store.send(Bump())
    let onMain = Task { @MainActor in await store.dispatch(Bump()) }
    while store.diagnostics.queued.count < 2 { await Task.yield() }
    end.open()
    _ = await onMain.value
    #expect(await storage() == first)
    // A mutation that can fail works on a copy, which shows that the test can detect one.
    try await store.dispatch(BumpOrFail())
    #expect(await storage() != first)
  }

  private struct Count: Sendable {
    var value = 0
  }

  private struct Increment: Mutation {
    func run(_ count: inout Count) { count.value += 1 }
  }

  private struct SlowIncrement: Action {
    func run(_ count: inout Count) async { count.value += 1 }
  }

  private struct IncrementOrFail: Mutation {
    func run(_ count: inout Count) throws(Boom) { count.value += 1 }
  }

  @Test(.enabled(if: heap_calls_are_counted(), "heap calls are counted with glibc and without sanitizers"))
  func p17_anUncontendedDispatchAllocatesNothing() async {
    let store = Store(Count())
    #expect(await heapCalls { await store.dispatch(Increment()) } == 0)
    #expect(await heapCalls { await store.dispatch { $0.value += 1 } } == 0)
    #expect(await heapCalls { await store.dispatch(SlowIncrement()) } == 0)
    #expect(await heapCalls { await store.dispatch { count async in count.value += 1 } } == 0)
    #expect(await heapCalls { _ = try? await store.dispatch(IncrementOrFail()) } == 0)
    #expect(await heapCalls { await store.dispatch(Increment(), returning: \.value) } == 0)
    let transaction = await heapCalls {
      _ = try? await store.transaction { transaction in
        try transaction.run(Increment())
        try transaction.run(Increment())
      }
    }
    let asyncTransaction = await heapCalls {
      _ = try? await store.transaction { transaction in
        try await transaction.run(Increment())
        try await transaction.run(SlowIncrement())
      }
    }
    #expect([transaction, asyncTransaction] == [0, 0])
    // Sending allocates, which shows that the test can detect an allocation.
    #expect(await heapCalls { _ = store.send(SlowIncrement()) } > 0)
  }

  @Test(.enabled(if: heap_calls_are_counted(), "heap calls are counted with glibc and without sanitizers"))
  func aStoreIsTwoObjectsUntilItIsWatched() async {
    #expect(await heapCalls { withExtendedLifetime(Store(Count())) {} } == 2 * 1_000)
    // A stream needs more.
    #expect(await heapCalls { withExtendedLifetime(Store(Count()).states) {} } > 4 * 1_000)
  }

  @Test func longChainsAndLongQueuesDoNotOverflowTheStack() async {
    let length = TestSize.length(100_000, short: 20_000)
    let store = Store(Count())
    let done = Gate()
    @Sendable func next(_ left: Int) {
      store.send { count in
        count.value += 1
        if left > 1 { next(left - 1) } else { done.open() }
      }
    }
    next(length)
    await done.wait()
    #expect(await store.state.value == length)

    let end = Gate()
    store.send { _ async in await end.wait() }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<length {
        group.addTask {
          if index % 2 == 0 { await store.dispatch(Increment()) } else { await store.dispatch(SlowIncrement()) }
        }
      }
      group.addTask {
        while store.queue.queuedCount < length { await Task.yield() }
        end.open()
      }
    }
    #expect(await store.state.value == 2 * length)
  }
}
