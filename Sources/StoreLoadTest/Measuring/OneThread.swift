import Synchronization

/// An executor that runs tasks one at a time on the calling thread, in the order in which they become ready.
final class OneThread: TaskExecutor, Sendable {
  private let ready = Mutex<[UnownedJob]>([])
  private let hasEnded = Mutex(false)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ready.withLock { $0.append(job) }
  }

  /// Runs `body` to completion on the calling thread.
  ///
  /// The body must not leave the thread, because counts for this thread would then be incomplete.
  static func run(_ body: @escaping @Sendable () async -> Void) {
    let executor = OneThread()
    _ = Task(executorPreference: executor) {
      await body()
      executor.hasEnded.withLock { $0 = true }
    }
    while let job = executor.next() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    precondition(
      executor.hasEnded.withLock { $0 },
      "StoreLoadTest: the body waits for another thread, so counts are incomplete. Run all of it on one thread.")
  }

  private func next() -> UnownedJob? {
    ready.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
