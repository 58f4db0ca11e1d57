import ActorStore
import Testing

@testable import Atoms

/// Runs that wait for results while other threads read for them or compute their dependencies.
@Suite struct BusyRunTests {
  private let store = AtomStore()

  enum Replacement: CaseIterable, Sendable { case none, value, operation }

  /// One child task of a run reads in a long snapshot while another one waits for a result, which arrives during the
  /// snapshot.
  @Test(arguments: Replacement.allCases)
  func a27_aRunWaitsForTheReadsOfItsChildTasks(_ replacement: Replacement) throws {
    let (jobs, gate, runs, number) = (HeldJobs(), Gate(), Tally(), Atom(1, keepAlive: true))
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
        // Lets the other child task begin to wait.
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

  /// While a run waits for the snapshot of its child task, the last other use of the awaited atom ends.
  @Test func a30_aRunThatWaitsForReadsUsesTheAwaitedAtom() {
    let (jobs, gate, number, runs) = (HeldJobs(), Gate(), Atom(1, keepAlive: true), Tally())
    let inner = AsyncAtom { () async -> Int in
      runs.add()
      await gate.pass()
      return 7
    }
    let observations = Recorder<AtomObservation>()
    let outer = AsyncAtom(keepAlive: true) { [store] () async throws -> Int in
      async let result = inner.result
      let before = store.snapshot { () -> Int in
        let before = number.value
        gate.open()
        onAnotherThread { jobs.run() }
        for observation in observations.all { observation.cancel() }
        return before
      }
      return try await before + result
    }
    Task(executorPreference: jobs) { [store] in
      observations.add(store.observe(inner) { _ in })
      _ = store.get(outer)
    }
    onAnotherThread { jobs.run() }
    #expect(store.get(outer) == .success(8) && runs.value == 1)
  }

  /// The last other use ends in the delivery of the result.
  @Test(arguments: [false, true]) func a30_aRunThatWaitsUsesTheResultUntilItHasReadIt(isInjected: Bool) {
    let (jobs, gate, runs, observations) = (HeldJobs(), Gate(), Tally(), Recorder<AtomObservation>())
    let operation: @Sendable () async -> Int = {
      runs.add()
      await gate.pass()
      return 1
    }
    let inner = AsyncAtom { await operation() }
    if isInjected { store.inject(inner) { await operation() } }
    let outer = AsyncAtom(keepAlive: true) { try await inner.result }
    Task(executorPreference: jobs) { [store] in
      observations.add(
        store.observe(inner) { state in
          if !state.loading { for observation in observations.all { observation.cancel() } }
        })
      _ = store.get(outer)
    }
    onAnotherThread { jobs.run() }
    #expect(store.get(outer) == .loading)
    gate.open()
    onAnotherThread { jobs.run() }
    #expect(store.get(outer) == .success(1) && runs.value == 1)
    observations.reset()
  }

  /// While another thread is in a callback, the awaited run starts again and ends with the same result.
  @Test func a24_aRunThatWaitsForAnInjectedOperationMissesNoResult() {
    let (jobs, gate, number) = (HeldJobs(), Gate(), Atom(1, keepAlive: true))
    let isFirst = Locked(true)
    let inner = AsyncAtom(keepAlive: true) { 0 }
    store.inject(inner) { () async -> Int in
      let parity = number.value % 2
      await gate.pass()
      return 7 + 0 * parity
    }
    let outer = AsyncAtom(keepAlive: true) { try await inner.result }
    Task(executorPreference: jobs) { [store] in _ = store.get(outer) }
    onAnotherThread { jobs.run() }
    let observation = store.observe(inner) { [store] state in
      let mustAct = isFirst.withLock { isFirst in
        defer { if state == .success(7) { isFirst = false } }
        return isFirst && state == .success(7)
      }
      if !mustAct { return }
      onAnotherThread {
        store.set(number, 2)
        jobs.run()
      }
    }
    #expect(store.get(outer) == .loading)
    gate.open()
    onAnotherThread { jobs.run() }
    #expect(store.get(outer) == .success(7) && !isFirst.withLock { $0 })
    withExtendedLifetime(observation) {}
  }

  /// The waits form a cycle if the awaited run still depends on the atoms that it has read.
  @Test func a11_aRunThatMayBeInACycleWaitsForAnotherThread() async throws {
    let (jobs, gate, isOver) = (HeldJobs(), Gate(), Atom(false, keepAlive: true))
    let known = Recorder<AsyncAtom<Int>>()
    let inner = AsyncAtom(keepAlive: true) { isOver.value ? 1 : known.all[0].value.value ?? 0 }
    let outer = AsyncAtom(keepAlive: true) { () async throws -> Int in
      await gate.pass()
      return try await inner.result
    }
    known.add(outer)
    Task(executorPreference: jobs) { [store] in _ = store.get(inner) }
    onAnotherThread { jobs.run() }
    #expect(store.get(inner) == .success(0) && store.get(outer) == .loading)
    store.set(isOver, true)
    let claim = Claim(inner, in: store.core)
    gate.open()
    onAnotherThread { jobs.run(atMost: 20) }
    #expect(store.get(outer) == .loading)
    claim.end()
    #expect(try await store.result(of: inner) == 1)
    onAnotherThread { jobs.run() }
    #expect(store.get(outer) == .success(1))
  }
}
