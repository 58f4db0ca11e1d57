import ActorStore
import Synchronization

/// A task that can be canceled before it starts.
struct CancelableTask: ~Copyable, Sendable {
  private let isCanceled = Atomic(false)
  private let task = Locked<Task<Void, any Error>?>(nil)

  /// Whether it has not been canceled.
  var isWanted: Bool { !isCanceled.load(ordering: .sequentiallyConsistent) }

  /// Keeps the task that has started.
  func begin(_ new: Task<Void, any Error>) {
    task.withLock { $0 = new }
    if !isWanted { new.cancel() }
  }

  func cancel() {
    // If the task is not there yet, `begin` cancels it.
    isCanceled.store(true, ordering: .sequentiallyConsistent)
    task.withLock { $0 }?.cancel()
  }
}
