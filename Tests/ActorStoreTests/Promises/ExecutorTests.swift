import ActorStore
import ActorStoreTesting
import Dispatch
import TestSize
import Testing

/// The actions of a store with an executor run there, unless the caller prefers another one (P3).
@Suite struct ExecutorTests {
  /// An executor that has its own queue.
  private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "executor")
    private let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: key, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Whether the current thread runs a job of this executor.
    var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
  }

  /// Notes where it runs, before and after it suspends.
  private struct Visit: Action {
    let executor: QueueExecutor

    func run(_ places: inout [Bool]) async {
      places.append(executor.isHere)
      await Task.yield()
      places.append(executor.isHere)
    }
  }

  private struct Note: Mutation {
    let executor: QueueExecutor

    func run(_ places: inout [Bool]) { places.append(executor.isHere) }
  }

  private struct Wrapper: Middleware {
    typealias State = [Bool]

    func run<A: Action<State>>(
      _ action: A, on state: inout State, next: inout Next<A>
    ) async throws(Stop<A.Failure>) -> A.Output {
      await Task.yield()
      return try await next(action, &state)
    }
  }

  private struct Refusal: Guard {
    func veto<A: Action<[Bool]>>(_ action: A, state: [Bool]) -> Veto? { Veto("no") }
  }

  private let executor = QueueExecutor()
  private var store: Store<[Bool]> { Store([], executor: executor) }

  @Test func p3_dispatchedActionsRunThere() async throws {
    let store = store
    await store.dispatch(Visit(executor: executor))
    #expect(!executor.isHere)
    await store.dispatch(Visit(executor: executor), policy: .overlapping)
    _ = try await store.transaction { [executor] transaction async throws in
      try await transaction.run(Visit(executor: executor))
    }
    #expect(await store.state == Array(repeating: true, count: 6))
  }

  /// Switching executors would take longer than the mutation.
  @Test func p3_aMutationOfAnIdleStoreRunsWhereItIsDispatched() async {
    let store = store
    await store.dispatch(Note(executor: executor))
    store.send(Note(executor: executor))
    #expect(await store.state == [false, false])
  }

  @MainActor @Test func p3_actionsOfAnActorRunThere() async {
    let store = store
    await store.dispatch(Note(executor: executor))
    await store.dispatch(Visit(executor: executor))
    MainActor.assertIsolated()
    #expect(await store.state == [true, true, true])
  }

  @Test func p3_sentDeferredAndWaitingActionsRunThere() async throws {
    let (store, executor) = (store, executor)
    let first = store.send { places async in
      guard case .deferred = await store.dispatch(Visit(executor: executor)) else { return }
      places.append(executor.isHere)
    }
    async let waiting = store.dispatch(Visit(executor: executor))
    store.send(Visit(executor: executor))
    _ = await (first.outcome, waiting)
    try await store.closeAndDrain()
    let places = await store.state
    #expect(places.count == 7 && places.allSatisfy(\.self), "\(places)")
  }

  @Test func p3_sentOverlappingActionsRunThere() async {
    let store = store
    _ = await store.send(Visit(executor: executor), policy: .overlapping).outcome
    #expect(await store.state == [true, true])
  }

  @Test func p3_wrappedMutationsRunThere() async {
    let store = Store([Bool](), middleware: [Wrapper()], executor: executor)
    await store.dispatch(Note(executor: executor))
    #expect(await store.state == [true])
  }

  @Test func p3_theExecutorOfTheCallerWins() async {
    let (store, other) = (store, QueueExecutor())
    await withTaskExecutorPreference(other) {
      await store.dispatch(Visit(executor: other))
      _ = await store.send(Visit(executor: other)).outcome
    }
    #expect(await store.state == [true, true, true, true])
  }

  /// An action keeps its executor while it waits for another store.
  @Test func p3_anActionOfAnotherStoreKeepsItsExecutor() async {
    let (store, executor, other) = (store, executor, QueueExecutor())
    let outer = Store(0, executor: other)
    await outer.dispatch { _ async in await store.dispatch(Visit(executor: other)) }
    await store.dispatch(Visit(executor: executor))
    #expect(await store.state == [true, true, true, true])
  }

  @Test func otherOutcomesStayTheSame() async {
    let (store, executor) = (store, executor)
    let canceled = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await store.dispatch(Visit(executor: executor))
    }.value
    guard case .cancelled = canceled else { Issue.record("\(canceled)"); return }
    let refusing = Store([Bool](), guards: [Refusal()], executor: executor)
    let refused = await refusing.dispatch(Visit(executor: executor))
    guard case .vetoed = refused else { Issue.record("\(refused)"); return }
    store.close()
    let late = await store.dispatch(Visit(executor: executor))
    guard case .closed = late else { Issue.record("\(late)"); return }
    #expect(await store.state == [])
  }

  /// The caller prefers the simulation's executor, so the store does not use its own.
  @Test func simulationsStayComplete() throws {
    let schedules = try [nil, executor].map { executor in
      let report = try Simulation.explore(.exhaustive()) {
        let store = Store(0, executor: executor)
        async let one = store.dispatch { $0 += 1 }
        store.send { $0 += 1 }
        _ = await one
        try await store.closeAndDrain()
        try await Simulation.expect(store.state == 2)
      }
      return report.schedules
    }
    #expect(schedules[0] == schedules[1] && schedules[0] > 1)
  }

  /// Many callers on real threads.
  @Test(.namedIfItHangs) func noUpdateIsLost() async throws {
    let store = Store(0, executor: executor)
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for call in 0..<200 {
            switch (number + call) % 3 {
            case 0: await store.dispatch { $0 += 1 }
            case 1: store.send { $0 += 1 }
            default:
              await store.dispatch { state async in
                let old = state
                await Task.yield()
                state = old + 1
              }
            }
          }
        }
      }
    }
    try await store.closeAndDrain()
    #expect(await store.state == 1_600)
  }
}
