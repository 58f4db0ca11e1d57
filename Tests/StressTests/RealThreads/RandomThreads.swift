import Foundation

/// Some threads that pick what they run at random among what is ready: for what only real threads do.
///
/// The pool of the runtime takes what came first, and hardly ever lets two tasks meet.
final class RandomThreads: TaskExecutor, @unchecked Sendable {
  // The invariant that makes it sendable: everything that changes is reached only while the condition is locked.

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

  /// Lets the threads end; nothing may be enqueued any more.
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

  /// Runs `body` and all it starts on such threads.
  static func run(seed: UInt64, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let threads = RandomThreads(seed: seed)
    defer { threads.stop() }
    try await Task(executorPreference: threads) { try await body() }.value
  }
}

/// A random number generator with a seed, good enough to shuffle by.
private struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 31)
  }
}
