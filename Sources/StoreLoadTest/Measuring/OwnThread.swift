import Foundation
import Synchronization

/// A thread that runs its tasks one after the other, and shares nothing with those of the pool.
final class OwnThread: TaskExecutor, Sendable {
  private struct State: Sendable {
    var ready: [UnownedJob] = []
    var isIdle = false
    var isOver = false
  }

  private let state = Mutex(State())
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

  /// The thread ends once nothing is ready.
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
