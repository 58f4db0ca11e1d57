import Testing

@testable import ActorStore

/// Threads that back off before they wait for a lock.
@Suite struct BackingOffTests {
  /// Each thread holds the lock for longer than the others back off, so all others wait in the system's queue.
  ///
  /// A thread that unlocks and tries again after its wait finds the lock handed to the next thread in the queue.
  /// Sixteen such threads would never end.
  @Test func aThreadThatHasWaitedForTheLockRunsItsClosure() {
    let lock = BackingOffLock()
    inThreads(16) { _ in
      for _ in 0..<10 { lock.add() }
    }
    #expect(lock.count.withLock { $0 } == 160)
  }

  private final class BackingOffLock: Sendable {
    let count = Locked(0)

    func add() {
      count.withLockBackingOff { count in
        // As long as all attempts of a waiting thread together.
        for _ in 0..<34 { backOff(2) }
        count += 1
      }
    }
  }
}
