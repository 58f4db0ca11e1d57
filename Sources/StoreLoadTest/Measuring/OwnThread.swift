import ActorStore
import Foundation

/// An executor with its own thread, outside the thread pool, which runs tasks one at a time.
final class OwnThread: TaskExecutor, Sendable {
  private struct State: Sendable {
    var ready: [UnownedJob] = []
    var isIdle = false
    var isOver = false
  }

  private let state = Locked(State())
  private let wakeUp = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      while let jobs = next() {
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wasIdle = state.withLock { state in
      state.ready.append(job)
      defer { state.isIdle = false }
      return state.isIdle
    }
    if wasIdle { wakeUp.signal() }
  }

  /// Ends the thread as soon as no job is ready.
  func end() {
    state.withLock { $0.isOver = true }
    wakeUp.signal()
  }

  private func next() -> [UnownedJob]? {
    while true {
      let (jobs, isOver) = state.withLock { state in
        defer { state.ready = [] }
        state.isIdle = state.ready.isEmpty
        return (state.ready, state.isOver)
      }
      if !jobs.isEmpty { return jobs }
      if isOver { return nil }
      wakeUp.wait()
    }
  }
}
