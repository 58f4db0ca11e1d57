import ActorStoreTesting
import Testing

@testable import ActorStore

/// `Task.inheritingExecutor`, which starts tasks that stay inside a simulation.
@Suite struct InheritingExecutorTests {
  /// A `Task {}` would escape from the simulation, which fails the run.
  @Test func staysInsideASimulation() throws {
    let result = try Simulation.explore(schedules: 300) {
      let store = Store(Log())
      let cannotFail = Task.inheritingExecutor(name: "first") { await store.dispatch(Append(1)).output }
      let canFail = Task.inheritingExecutor { () async throws -> Int? in
        try Task.checkCancellation()
        return await store.dispatch(SlowAppend(2)).output
      }
      let counts = [await cannotFail.value, try await canFail.value]
      try Simulation.expect(counts.compactMap(\.self).sorted() == [1, 2], "\(counts)")
    }
    #expect(result.distinctSchedules > 10)
  }

  private enum Request {
    @TaskLocal static var number = 0
  }

  @Test func inheritsTaskLocalsAndPriority() async {
    let task = Request.$number.withValue(7) {
      Task.inheritingExecutor(name: "named", priority: .high) { (Request.number, Task.currentPriority, Task.name) }
    }
    let (number, priority, name) = await task.value
    #expect(number == 7)
    #expect(priority >= .high)
    #expect(name == "named")
    let inherited = await Task(priority: .utility) {
      await Task.inheritingExecutor { Task.basePriority }.value
    }.value
    #expect(inherited == .utility)
  }

  @Test func throwsTheErrorOfItsOperation() async {
    let task = Task.inheritingExecutor { () async throws -> Int in throw Boom(code: 3) }
    await #expect(throws: Boom(code: 3)) { try await task.value }
  }

  @Test func isNotCanceledWithItsCreator() async {
    let (gate, began) = (Gate(), Gate())
    let creator = Task {
      let task = Task.inheritingExecutor {
        began.open()
        await gate.wait()
        return Task.isCancelled
      }
      await began.wait()
      return task
    }
    let task = await creator.value
    creator.cancel()
    gate.open()
    #expect(await task.value == false)
  }

  /// The store sees that the task's dispatch is nested in the action that created the task.
  @Test func itsDispatchesAreNested() throws {
    try Simulation.explore(schedules: 300) {
      let store = Store(Log())
      let outcome = await store.dispatch { (_: inout Log) async in
        await Task.inheritingExecutor { await store.dispatch(Append(1)) }.value
      }
      try Simulation.expect(outcome == .committed(.deferred), "\(outcome)")
    }
  }

  /// Each task starts the next one inside the call, on a stack that does not grow with the number of tasks.
  @Test func aLongChainOfTasksOnAnInlineExecutor() async {
    let end = Gate()
    await withTaskExecutorPreference(InlineExecutor()) { Self.startNext(20_000, end) }
    await end.wait()
  }

  private static func startNext(_ remaining: Int, _ end: Gate) {
    Task.inheritingExecutor {
      if remaining > 1 { startNext(remaining - 1, end) } else { end.open() }
    }
  }
}
