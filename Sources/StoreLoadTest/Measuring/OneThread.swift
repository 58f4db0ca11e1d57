import Synchronization

/// Runs tasks one at a time on the thread that calls, in the order in which they become ready.
final class OneThread: TaskExecutor, Sendable {
  private let ready = Mutex<[UnownedJob]>([])
  private let hasEnded = Mutex(false)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ready.withLock { $0.append(job) }
  }

  /// Runs `body` to its end, which it must reach on this thread: what is counted here is counted in full.
  static func run(_ body: @escaping @Sendable () async -> Void) {
    let executor = OneThread()
    _ = Task(executorPreference: executor) {
      await body()
      executor.hasEnded.withLock { $0 = true }
    }
    while let job = executor.next() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    precondition(executor.hasEnded.withLock { $0 }, "StoreLoadTest: something left the one thread")
  }

  private func next() -> UnownedJob? {
    ready.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
