import ActorStore
import ActorStoreTesting
import Atoms
import Synchronization
import Testing

/// A thread that waits for a lock of a stopped task ends the run, and the report says where.
@Suite struct BlockedTests {
  #if os(Linux)
    @Test func aLockThatIsHeldAtAPointIsReported() throws {
      let failure = try #require(throws: Simulation.Failure.self) {
        try Simulation.explore(.exhaustive()) {
          let (store, atom, lock) = (AtomStore(), Atom(0, keepAlive: true).debugLabel("cart"), Lock())
          await withTaskGroup { group in
            for name in ["a", "b"] {
              group.addTask(name: name) { lock.run { store.set(atom, 1) } }
            }
          }
        }
      }
      #expect(failure.verdict == .blocked)
      let report = failure.description
      #expect(report.hasPrefix("Blocked: a thread waits outside the simulation"), "\(report)")
      #expect(report.contains("is blocked"), "\(report)")
      #expect(report.contains("is stopped"), "\(report)")
    }
  #endif

  private final class Lock: Sendable {
    private let lock = Mutex(0)

    func run(_ body: () -> Void) { lock.withLock { _ in body() } }
  }
}
