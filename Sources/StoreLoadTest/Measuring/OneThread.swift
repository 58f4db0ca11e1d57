import Synchronization

/// Runs tasks one at a time on the thread that calls, in the order in which they become ready.
final class OneThread: TaskExecutor, Sendable {
  private let ready = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ready.withLock { $0.append(job) }
  }

  /// Runs `body`, and returns when nothing is ready any more.
  static func run(_ body: @escaping @Sendable () async -> Void) {
    let executor = OneThread()
    _ = Task(executorPreference: executor) { await body() }
    while let job = executor.next() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    ready.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
