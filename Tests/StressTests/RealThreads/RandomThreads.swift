import Foundation

/// An executor with several threads, each of which runs randomly chosen jobs.
///
/// It tests behavior that only real threads show. The runtime's thread pool runs jobs in the order of their arrival,
/// and two tasks rarely meet.
final class RandomThreads: TaskExecutor, @unchecked Sendable {
  // The class is sendable because all access to its mutable state holds the lock of the condition.

  private let condition = NSCondition()
  private var ready: [UnownedJob] = []
  private var generator: LinearGenerator
  private var isOver = false

  init(threads: Int = 4, seed: UInt64) {
    generator = LinearGenerator(state: seed)
    for _ in 0..<threads {
      Thread.detachNewThread { self.work() }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      ready.append(job)
      condition.signal()
    }
  }

  /// Lets the threads end after they have run all ready jobs.
  ///
  /// Jobs must not be enqueued afterward.
  func stop() {
    condition.withLock {
      isOver = true
      condition.broadcast()
    }
  }

  private func work() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    condition.withLock {
      while ready.isEmpty && !isOver { condition.wait() }
      if ready.isEmpty { return nil }
      return ready.remove(at: Int.random(in: ready.indices, using: &generator))
    }
  }

  /// Runs `body`, and the tasks that inherit its executor preference, on random threads.
  static func run(seed: UInt64, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let threads = RandomThreads(seed: seed)
    defer { threads.stop() }
    try await Task(executorPreference: threads) { try await body() }.value
  }
}

/// A seeded random number generator that is good enough for shuffling.
private struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 31)
  }
}
