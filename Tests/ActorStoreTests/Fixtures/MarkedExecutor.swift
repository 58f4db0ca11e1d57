import Dispatch

/// A serial executor that can tell whether the current thread is running one of its jobs.
final class MarkedExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "marked")
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init() {
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
