import ActorStore
import Testing

/// P3: An action runs in the task that dispatched it, and off the caller's actor.
@Suite struct TaskContextTests {
  @TaskLocal static var caller = -1

  private struct SeesCaller: Action {
    func run(_ log: inout Log) async -> Int {
      let before = TaskContextTests.caller
      await Task.yield()
      return before == TaskContextTests.caller ? before : -2
    }
  }

  private struct SeesCallerAtOnce: Mutation {
    func run(_ log: inout Log) -> Int { TaskContextTests.caller }
  }

  @Test func p3_eachActionOf64TasksSeesTheTaskLocalsOfItsDispatcher() async {
    let store = Store(Log())
    let wrong = await withTaskGroup { group in
      for caller in 0..<64 {
        group.addTask {
          await Self.$caller.withValue(caller) {
            var wrong = 0
            for _ in 0..<100 {
              if await store.dispatch(SeesCaller()) != .committed(caller) { wrong += 1 }
              if await store.dispatch(SeesCallerAtOnce()) != .committed(caller) { wrong += 1 }
              if await store.send(SeesCallerAtOnce()).outcome != .committed(caller) { wrong += 1 }
              if await store.send(SeesCaller()).outcome != .committed(caller) { wrong += 1 }
            }
            return wrong
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test func p3_anActionHasThePriorityOfItsDispatcher() async {
    let store = Store(Log())
    for priority in [TaskPriority.low, .high] {
      let seen = await Task.detached(priority: priority) {
        await store.dispatch { _ async in Task.basePriority }.output
      }.value
      #expect(seen == .some(priority))
      let sent = await Task.detached(priority: priority) {
        await store.send { _ async in Task.basePriority }.outcome.output
      }.value
      #expect(sent == .some(priority))
    }
  }

  @Test func p3_cancellationReachesTheRunningAction() async {
    let store = Store(Log())
    let begun = Gate()
    let end = Gate()
    let task = Task {
      await store.dispatch { log async in
        begun.open()
        await end.wait()
        log.entries.append(1)
        return Task.isCancelled
      }
    }
    await begun.wait()
    task.cancel()
    end.open()
    #expect(await task.value == .committed(true))
  }

  /// An actor with its own executor, which knows whether the current code runs on it.
  private actor Home {
    func dispatchesElsewhere(_ store: Store<Log>) async -> [Bool] {
      preconditionIsolated()
      var results: [Bool] = []
      // No action runs here, whether it is synchronous or asynchronous, and whether the store is idle or busy.
      results.append(await store.dispatch { _ in #isolation == nil && !self.isCurrent }.output ?? false)
      results.append(await store.dispatch { _ async in !self.isCurrent }.output ?? false)
      results.append(await store.dispatch(RunsElsewhere(home: self)).output ?? false)
      preconditionIsolated()
      return results
    }

    nonisolated var isCurrent: Bool { executor.isCurrent }
    private nonisolated let executor = MarkedExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  }

  private struct RunsElsewhere: Action {
    let home: Home

    func run(_ log: inout Log) async -> Bool {
      await Task.yield()
      return !home.isCurrent
    }
  }

  @Test func p3_anActionDoesNotRunOnItsCallersActor() async {
    let home = Home()
    let store = Store(Log())
    #expect(await home.dispatchesElsewhere(store) == [true, true, true])
    let end = Gate()
    store.send(Hold(until: end))
    let contended = Task { await home.dispatchesElsewhere(store) }
    await store.waitUntilQueued(1)
    end.open()
    #expect(await contended.value == [true, true, true])
  }

  @MainActor private struct OnMain: Action {
    nonisolated init() {}

    @MainActor func run(_ log: inout Log) async {
      MainActor.preconditionIsolated()
      log.entries.append(1)
    }
  }

  @Test func p3_anActionDeclaredOnAnActorRunsThere() async {
    let store = Store(Log())
    #expect(await store.dispatch(OnMain()).isCommitted)
    #expect(await store.state.entries == [1])
  }

  @Test func p3_anActionDoesNotRunOnTheMainActor() async {
    await #expect(processExitsWith: .failure) {
      // The body does not run on the main actor, so the precondition ends the process.
      await dispatchFromMainActor { MainActor.preconditionIsolated() }
    }
    await #expect(processExitsWith: .success) {
      await dispatchFromMainActor {}
    }
  }
}

@MainActor private func dispatchFromMainActor(_ body: @escaping @Sendable () -> Void) async {
  MainActor.preconditionIsolated()
  await Store(Log()).dispatch { _ in body() }
}
