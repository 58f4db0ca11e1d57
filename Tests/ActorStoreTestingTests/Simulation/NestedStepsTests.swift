import ActorStore
import Synchronization
import Testing

@testable import ActorStoreTesting

/// The first steps of new tasks, which a search runs inside the jobs of their creators.
@Suite struct NestedStepsTests {
  @Test func eachCreationIsFirstTriedOnTwoThreads() {
    let steps = NestedSteps()
    #expect([steps.allows(0), steps.allows(1), steps.allows(0), steps.allows(1)] == [false, false, true, true])
    steps.refuse(1)
    #expect([steps.allows(0), steps.allows(1)] == [true, false])
  }

  /// Runs every schedule with nested steps and again without, and compares the choices of each pair of runs.
  @Test func theChoicesAreThoseOfTwoThreads() throws {
    var search = ExhaustiveSearch(maxPreemptions: nil)
    var points = OptionalPoints(earlyTimers: 1)
    points.includeCancellations = false
    let steps = NestedSteps()
    var (schedules, nested) = (0, 0)
    while let script = search.script {
      let body: @Sendable () async -> Void = {
        let stores = [Store(0), Store(0)]
        await withTaskGroup { group in
          for store in stores { group.addTask { await store.dispatch { $0 += 1 } } }
        }
      }
      let run = SimulatedExecutor.run(.search(script), maxSteps: 1_000, points, steps, body)
      let other = SimulatedExecutor.run(.search(script), maxSteps: 1_000, points, nil, body)
      #expect(run.isSame(as: other) && run.choices == other.choices)
      schedules += 1
      nested += run.nestedSteps
      search.advance(past: run.choices)
    }
    #expect(schedules == 414 && nested > 100, "\(nested) of \(schedules)")
  }

  private final class Lock: Sendable {
    private let lock = Mutex(0)

    func run(_ body: () -> Void) { lock.withLock { _ in body() } }
  }

  #if os(Linux)
    /// A creator that holds a lock cannot let the new task run on its own thread.
    @Test func aNewTaskThatNeedsALockOfItsCreatorIsBlocked() throws {
      let failure = try #require(throws: Simulation.Failure.self) {
        try Simulation.explore(.exhaustive()) {
          let lock = Lock()
          await withTaskGroup(of: Void.self) { group in
            lock.run { group.addTask { lock.run {} } }
          }
        }
      }
      #expect(failure.verdict == .blocked)
    }
  #endif
}
