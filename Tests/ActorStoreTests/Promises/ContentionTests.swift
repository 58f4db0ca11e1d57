import ActorStore
import Foundation
import Synchronization
import Testing

/// Contended mutations by many tasks, on real threads (P1, P2, P3, P9).
///
/// Whichever task hands off the turn, each mutation runs in its own task, with the task's task-locals and priority.
/// Mutations run in order, and canceled ones do not run.
@Suite struct ContentionTests {
  private enum Caller {
    @TaskLocal static var number = -1
  }

  private struct Tally: Sendable, Equatable {
    var counts = [Int](repeating: 0, count: 16)
    var strangers = 0
    var total = 0
  }

  /// Counts its runs, and checks that it runs in its own task.
  private struct Count: Mutation {
    let task: Int
    /// The priority of the dispatching task at the time of the call.
    let priority = Task.currentPriority

    func run(_ tally: inout Tally) -> Int {
      tally.counts[task] += 1
      tally.total += 1
      if Caller.number != task || Task.currentPriority < priority { tally.strangers += 1 }
      return tally.total
    }
  }

  private static let priorities: [TaskPriority] = [.low, .medium, .high]
  private static let perTask = 400

  @Test func eachMutationRunsInItsOwnTask() async {
    let store = Store(Tally())
    let wrong = await withTaskGroup { group in
      for task in 0..<16 {
        let priority = Self.priorities[task % 3]
        group.addTask(priority: priority) {
          await Caller.$number.withValue(task) {
            var (last, wrong) = (0, 0)
            for number in 0..<Self.perTask {
              let place = await store.dispatch(Count(task: task)).output ?? 0
              // Mutations run in order, and each call returns to its own task.
              if place <= last || Caller.number != task { wrong += 1 }
              last = place
              if number % 16 == task { await Task.yield() }
            }
            return wrong
          }
        }
      }
      return await group.reduce(0, +)
    }
    let tally = await store.state
    #expect(wrong == 0)
    #expect(tally.strangers == 0)
    #expect(tally.counts == [Int](repeating: Self.perTask, count: 16))
  }

  /// However its turn arrives, a sent asynchronous action never runs inside a call to `send`.
  @Test func sentActionsDoNotRunInsideTheCall() async {
    let (store, senders) = (Store(0), Senders())
    // One task sends all actions, so another thread is free to run them.
    await Task {
      for _ in 0..<10_000 {
        senders.begin()
        store.send { count async in
          senders.look()
          count += 1
        }
        senders.end()
      }
    }.value
    await store.dispatch { _ async in }
    #expect(await store.state == 10_000)
    #expect(senders.found == 0)
  }

  /// The threads that are inside a call to `send`.
  private final class Senders: Sendable {
    private let state = Mutex<(threads: Set<pthread_t>, found: Int)>(([], 0))

    func begin() { state.withLock { _ = $0.threads.insert(pthread_self()) } }
    func end() { state.withLock { _ = $0.threads.remove(pthread_self()) } }
    func look() { state.withLock { if $0.threads.contains(pthread_self()) { $0.found += 1 } } }
    var found: Int { state.withLock { $0.found } }
  }

  /// Sends an action to another store after each commit.
  ///
  /// The action runs in its own task.
  private struct Echo: Guard {
    let other: Store<Int>

    func didUpdate<A: Action<Tally>>(_ action: A, old: Tally?, new: Tally) {
      other.send { count async in
        await Task.yield()
        count += 1
      }
    }
  }

  @Test func guardsMaySend() async {
    let other = Store(0)
    let store = Store(Tally(), guards: [Echo(other: other)])
    await withTaskGroup { group in
      for task in 0..<16 {
        group.addTask {
          await Caller.$number.withValue(task) {
            for _ in 0..<50 { await store.dispatch(Count(task: task)) }
          }
        }
      }
    }
    await other.dispatch { _ async in }
    #expect(await other.state == 800)
    #expect(await store.state.strangers == 0)
  }

  /// Mutations run in order among actions, failures, reads, a stream, cancellations, and calls from the main actor.
  @Test func mutationsAmongOtherCalls() async throws {
    struct Odd: Error {}
    let store = Store(Tally())
    let states = store.states
    let ends = await withTaskGroup(of: [Outcome<Int>].self) { group in
      for task in 0..<16 {
        group.addTask {
          await Caller.$number.withValue(task) {
            var outcomes: [Outcome<Int>] = []
            for number in 0..<100 {
              switch (task + number) % 8 {
              case 0: outcomes.append(await store.dispatch { (tally: inout Tally) async in Self.count(&tally, task) })
              case 1: outcomes.append(await store.send { tally in Self.count(&tally, task) }.outcome)
              case 2: _ = try? await store.dispatch { (_) throws(Odd) in throw Odd() }
              case 3: _ = await store.state
              case 4:
                let cancelled = Task { await store.dispatch(Count(task: task)) }
                cancelled.cancel()
                outcomes.append(await cancelled.value)
              case 5: outcomes.append(await Self.onMainActor(store, task))
              default: outcomes.append(await store.dispatch(Count(task: task)))
              }
            }
            return outcomes
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    store.close()
    let committed = ends.compactMap(\.output)
    #expect(committed.sorted() == Array(1...committed.count))
    #expect(ends.allSatisfy { $0.isCommitted || $0 == .cancelled })
    let tally = await store.state
    #expect(tally.total == committed.count && tally.strangers == 0)
    var last = -1
    for await state in states {
      #expect(state.total == last + 1 || state.total == last)
      last = state.total
    }
    #expect(last == committed.count)
  }

  private static func count(_ tally: inout Tally, _ task: Int) -> Int {
    tally.total += 1
    if Caller.number != task { tally.strangers += 1 }
    return tally.total
  }

  @MainActor private static func onMainActor(_ store: Store<Tally>, _ task: Int) async -> Outcome<Int> {
    await store.dispatch(Count(task: task))
  }
}
