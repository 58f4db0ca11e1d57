@testable import ActorStore

/// Runs each job inside the call that enqueues it, as some executors for tests do, unless it holds jobs.
final class InlineExecutor: TaskExecutor {
  private struct State {
    var isHolding = false
    var held: [UnownedJob] = []
  }

  private let state = Locked(State())
  /// Opens when the executor holds a job.
  let holdsJob = Gate()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = state.withLock { state in
      if state.isHolding { state.held.append(job) }
      return state.isHolding
    }
    if isHeld { holdsJob.open() } else { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Keeps later jobs until `release()`.
  func hold() { state.withLock { $0.isHolding = true } }

  /// Runs the held jobs on the current thread, and holds no more jobs.
  func release() {
    let held = state.withLock { state in
      state.isHolding = false
      defer { state.held = [] }
      return state.held
    }
    for job in held { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
