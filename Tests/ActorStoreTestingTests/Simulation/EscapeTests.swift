import ActorStore
import ActorStoreTesting
import Dispatch
import Testing

/// A simulation detects work that leaves it, and the error says what to do.
@Suite struct EscapeTests {
  private func escape(_ body: @escaping @Sendable () async throws -> Void) throws -> Simulation.Failure {
    try #require(throws: Simulation.Failure.self) { try Simulation.explore(.fifo, body: body) }
  }

  @Test func detachedTask() throws {
    let failure = try escape { await Task.detached {}.value }
    #expect(failure.verdict == .escaped(.unstructuredTask))
    #expect(failure.description.contains("Task.inheritingExecutor"))
  }

  @Test func unstructuredTask() throws {
    #expect(try escape { await Task {}.value }.verdict == .escaped(.unstructuredTask))
  }

  @Test func unstructuredTaskThatIsNotAwaited() throws {
    let failure = try escape {
      Task {}
      await Task.yield()
    }
    #expect(failure.verdict == .escaped(.unstructuredTask))
  }

  @Test func sleeping() throws {
    let failure = try escape { try await Task.sleep(for: .seconds(3_600)) }
    #expect(failure.verdict == .escaped(.sleep))
    #expect(failure.description.contains("SimulationClock()"))
    #expect(try escape { try await ContinuousClock().sleep(for: .seconds(1)) }.verdict == .escaped(.sleep))
    #expect(try escape { try await SuspendingClock().sleep(for: .seconds(1)) }.verdict == .escaped(.sleep))
  }

  @Test func mainActor() throws {
    #expect(try escape { await MainActor.run {} }.verdict == .escaped(.mainActor))
  }

  /// Work that left a simulation continues elsewhere until it ends, and uses objects of the simulation.
  @Test func escapedWorkIsHarmless() async throws {
    for _ in 0..<20 {
      let (left, ended) = AsyncStream<Bool>.makeStream()
      let failure = try escape {
        let store = Store(Account())
        let clock = SimulationClock()
        for _ in 0..<3 { Simulation.task { await Task.yield() } }
        Task {
          for _ in 0..<100 { await store.dispatch(Deposit()) }
          ended.yield(await (try? clock.sleep(for: .seconds(1))) == nil)
        }
        for _ in 0..<100 { await store.dispatch(Deposit()) }
      }
      #expect(failure.verdict == .escaped(.unstructuredTask))
      #expect(await left.first { _ in true } == true)
    }
  }

  /// A nested simulation can use a store of the simulation around it.
  @Test func storeOfTheOuterSimulation() throws {
    try Simulation.explore(.fifo) {
      let store = Store(Account())
      // These tasks are ready in the outer simulation while the inner one runs.
      for _ in 0..<3 { Simulation.task { await Task.yield() } }
      try Simulation.explore(schedules: 3) {
        async let one = store.dispatch(Deposit())
        async let other = store.dispatch(Deposit())
        _ = await (one, other)
      }
    }
  }

  @Test func resumeFromAnotherThread() throws {
    let failure = try escape {
      let parked = Witness<CheckedContinuation<Void, Never>>()
      await withTaskGroup { group in
        group.addTask { await withCheckedContinuation { parked.saw($0) } }
        // Tasks run first come, first served, so the other task is already waiting.
        group.addTask { onAnotherThread { parked.all[0].resume() } }
      }
    }
    #expect(failure.verdict == .escaped(.otherThread))
    #expect(failure.description.contains("Another thread"))
  }

  @Test func resumeFromAnotherThreadInARunThatEnds() throws {
    let failure = try escape {
      let parked = Witness<CheckedContinuation<Void, Never>>()
      Simulation.task { await withCheckedContinuation { parked.saw($0) } }
      await Task.yield()
      onAnotherThread { parked.all[0].resume() }
    }
    #expect(failure.verdict == .escaped(.otherThread))
  }

  /// A run that cannot continue looks like a deadlock until another thread resumes one of its tasks.
  @Test func lateResumeFromAnotherThread() throws {
    let parked = Witness<CheckedContinuation<Void, Never>>()
    let failure = try escape {
      if parked.all.count == 1 { onAnotherThread { parked.all[0].resume() } }
      await withCheckedContinuation { parked.saw($0) }
    }
    #expect(failure.verdict == .escaped(.otherThread))
    #expect(!failure.description.contains("proven"))
  }

  @Test func workInsideASimulationDoesNotEscape() throws {
    try Simulation.explore(schedules: 20) {
      let task = Simulation.task { await Task.yield() }
      async let child: Void = Task.yield()
      await withTaskGroup { group in group.addTask { await task.value } }
      await child
      let stream = AsyncStream { continuation in
        continuation.yield(1)
        continuation.finish()
      }
      for await _ in stream {}
    }
  }
}

/// Runs a body on another thread, and waits until it ends.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    body()
    done.signal()
  }
  done.wait()
}
