import ActorStore
import Dispatch
import Synchronization
import TestSize
import Testing

/// P1 and P2: Actions run one at a time, in call order, regardless of their priorities.
@Suite struct OrderTests {
  private static let priorities: [TaskPriority] = [.low, .background, .medium, .high]

  /// A state that counts the steps, in total and for each task.
  private struct Tally: Sendable {
    var total = 0
    var perTask = [Int](repeating: 0, count: 8)
  }

  /// Counts a step across a suspension, and returns whether it ran alone and in order.
  private struct Step: Action {
    let task: Int
    let number: Int
    let inside: Inside

    func run(_ tally: inout Tally) async -> Bool {
      let wasAlone = inside.enter()
      let before = tally
      await Task.yield()
      tally.total = before.total + 1
      tally.perTask[task] += 1
      inside.leave()
      return wasAlone && tally.perTask[task] == number
    }
  }

  private final class Inside: Sendable {
    private let count = Atomic<Int>(0)

    func enter() -> Bool {
      count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue == 1
    }

    func leave() {
      count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }

  @Test func p1_p2_eightTasksOfMixedPrioritiesLoseNoUpdateAndRunInOrder() async {
    let store = Store(Tally())
    let inside = Inside()
    let wrong = await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask(priority: Self.priorities[task % 4]) {
          var wrong = 0
          for number in 1...10_000 {
            if await store.dispatch(Step(task: task, number: number, inside: inside)) != .committed(true) { wrong += 1 }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
    #expect(await store.state.total == 80_000)
    #expect(await store.state.perTask == [Int](repeating: 10_000, count: 8))
  }

  @Test func p1_p2_underSimulatedSchedules() {
    explore(schedules: TestSize.count(500)) {
      let store = Store(Tally())
      let inside = Inside()
      let wrong = await withTaskGroup { group in
        for task in 0..<4 {
          group.addTask(priority: Self.priorities[task]) {
            var wrong = 0
            for number in 1...3 {
              if await store.dispatch(Step(task: task, number: number, inside: inside)) != .committed(true) {
                wrong += 1
              }
            }
            return wrong
          }
        }
        return await group.reduce(0, +)
      }
      let total = await store.state.total
      return wrong == 0 && total == 12 ? nil : "\(wrong) wrong, total \(total)"
    }
  }

  @Test func p2_sentActionsRunInOrderAcrossPriorities() async {
    let store = Store(Log())
    let end = Gate()
    store.send(Hold(until: end))
    for entry in 1...200 {
      // Each task takes its ticket before the next task is created, so only the priorities could change the order.
      await Task<Void, Never>(priority: Self.priorities[entry % 4]) {
        if entry % 2 == 0 { store.send(Append(entry)) } else { store.send(SlowAppend(entry)) }
      }.value
    }
    end.open()
    await store.dispatch(Append(201))
    #expect(await store.state.entries == Array(0...201))
  }

  @Test func p2_sentActionsRunInOrderInSimulation() {
    explore {
      let store = Store(Log())
      let tickets = (0..<4).map { entry in
        entry % 2 == 0
          ? store.send { log in log.entries.append(entry) }
          : store.send { log in
            await Task.yield()
            log.entries.append(entry)
          }
      }
      for ticket in tickets { _ = await ticket.outcome }
      let entries = await store.state.entries
      return entries == [0, 1, 2, 3] ? nil : "\(entries)"
    }
  }

  /// The queue advances even if the thread of a calling actor is blocked.
  @Test func p2_aBusyActorDoesNotBlockTheQueue() async {
    let store = Store(Log())
    let busy = BusyActor()
    let end = Gate()
    store.send(Hold(until: end))
    // The call from the actor has a ticket ahead of all that follow.
    let fromActor = Task { await busy.call { _ in await store.dispatch(SlowAppend(1)) } }
    await store.waitUntilQueued(1)
    let blocked = Gate()
    let release = DispatchSemaphore(value: 0)
    let blocking = Task { await busy.block(blocked, until: release) }
    await blocked.wait()
    end.open()
    // The actor's thread is blocked, but its dispatch must run before this one can return.
    await store.dispatch(Append(2))
    #expect(await store.state.entries == [0, 1, 2])
    release.signal()
    await blocking.value
    #expect(await fromActor.value == .committed(2))
  }
}
