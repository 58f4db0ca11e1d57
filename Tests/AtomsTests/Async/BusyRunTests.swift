import ActorStore
import Foundation
import Testing

@testable import Atoms

/// Runs that wait for results while other threads read for them or compute their dependencies.
@Suite struct BusyRunTests {
  private let store = AtomStore()

  /// Keeps its jobs until a thread runs them.
  private final class Jobs: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }

    /// Runs jobs on the current thread until there are none, at most a given number.
    func run(atMost limit: Int = .max) {
      var count = 0
      while count < limit, let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
        count += 1
      }
    }
  }

  enum Replacement: CaseIterable, Sendable { case none, value, operation }

  /// One child task of a run reads in a long snapshot while another one waits for a result, which arrives during the
  /// snapshot.
  @Test(arguments: Replacement.allCases)
  func a27_aRunWaitsForTheReadsOfItsChildTasks(_ replacement: Replacement) throws {
    let (jobs, gate, runs, number) = (Jobs(), Gate(), Tally(), Atom(1, keepAlive: true))
    let operation: @Sendable () async -> Int = {
      await gate.pass()
      return 7
    }
    let inner = AsyncAtom(keepAlive: true) { await operation() }
    switch replacement {
    case .none: break
    case .value: store.inject(inner, value: .loading)
    case .operation: store.inject(inner) { await operation() }
    }
    let outer = AsyncAtom(keepAlive: true) { [store] () async throws -> [Int] in
      runs.add()
      let first = number.value
      async let result = inner.result
      async let last = store.snapshot { () -> Int in
        let before = number.value
        // The other child task waits.
        onAnotherThread { jobs.run(atMost: 10) }
        onAnotherThread {
          if replacement == .value { store.inject(inner, value: .success(7)) } else { gate.open() }
          jobs.run(atMost: 20)
        }
        return before
      }
      return try await [first, result, last]
    }
    Task(executorPreference: jobs) { [store] in _ = store.get(outer) }
    onAnotherThread { jobs.run() }
    #expect(store.get(outer) == .success([1, 7, 1]))
    #expect(runs.value == 1 && store.core.state.withLock { $0.waits.isEmpty })
    store.inject(inner, value: .success(8))
    onAnotherThread { jobs.run() }
    #expect(store.get(outer).loading)
  }

  /// The runs would wait for each other if a value that another thread computes had the dependencies of its last run.
  @Test func a11_aRunThatMayBeInACycleWaitsForAComputation() throws {
    let (jobs, gate, isOver) = (Jobs(), Gate(), Atom(false, keepAlive: true))
    let (isComputing, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let known = Recorder<AsyncAtom<Int>>()
    let isBlocking = Locked(true)
    let derived = DerivedAtom(keepAlive: true) { () -> Int in
      if !isOver.value { return known.all[0].value.loading ? 1 : 2 }
      let mustBlock = isBlocking.withLock { isBlocking in
        defer { isBlocking = false }
        return isBlocking
      }
      if mustBlock {
        isComputing.signal()
        mayEnd.wait()
      }
      return 1
    }
    let inner = AsyncAtom(keepAlive: true) { derived.value }
    let outer = AsyncAtom(keepAlive: true) { () async throws -> Int in
      await gate.pass()
      return try await inner.result
    }
    known.add(outer)
    Task(executorPreference: jobs) { [store] in _ = store.get(inner) }
    onAnotherThread { jobs.run() }
    #expect(store.get(inner) == .success(1) && store.get(outer) == .loading)
    store.set(isOver, true)
    let computing = DispatchGroup()
    computing.enter()
    Thread { [store] in
      _ = store.get(derived)
      computing.leave()
    }.start()
    isComputing.wait()
    gate.open()
    onAnotherThread { jobs.run(atMost: 20) }
    #expect(store.get(outer) == .loading)
    mayEnd.signal()
    computing.wait()
    onAnotherThread { jobs.run() }
    #expect(store.get(outer) == .success(1))
  }
}
