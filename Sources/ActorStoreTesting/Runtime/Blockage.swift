import ActorStore
import Synchronization

/// Ends a run whose running thread is blocked, for example by a lock that a stopped thread holds.
///
/// The stopped threads look after the running one while they wait. If one of them finds it blocked, the run is over:
/// All threads finish their jobs at the same time, as they would outside of a simulation, and the lock becomes free.
/// From that moment on, no thread accesses the executor, until the thread that created it is the only one left.
final class Blockage: Sendable {
  private let hasBeenFound = Atomic(false)
  private let isOver = Atomic(false)
  /// The number of threads that have a job of the run, besides the one that created the executor.
  private let others = Atomic(0)
  private let running: Locked<SimulatedThread>

  init(_ thread: SimulatedThread) { running = Locked(thread) }

  /// Whether the run is over because a thread was blocked.
  var isFound: Bool { hasBeenFound.load(ordering: .acquiring) }

  // MARK: Threads

  /// Notes which thread runs from now on.
  func watch(_ thread: SimulatedThread) { running.withLock { $0 = thread } }

  func joined() { others.add(1, ordering: .relaxed) }

  func left() { others.subtract(1, ordering: .releasing) }

  /// Waits until the calling thread is the only one that is left.
  func waitForOthers() {
    while others.load(ordering: .acquiring) > 0 { CurrentThread.rest() }
    isOver.store(true, ordering: .relaxed)
  }

  // MARK: Looking

  /// Takes a sample of the running thread, and returns whether the run is over.
  func look(_ detector: inout BlockDetector) -> Bool {
    if isFound { return true }
    let sample = running.withLock { $0 }.sample()
    if !detector.add(sample) { return false }
    if hasBeenFound.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged {
      CurrentThread.start { self.requireEnd() }
    }
    return true
  }

  /// Stops the program if the threads do not finish.
  ///
  /// The thread that created the executor may be one of those that wait forever, so nothing else can report it.
  private func requireEnd() {
    for _ in 0..<Self.patience {
      if isOver.load(ordering: .relaxed) { return }
      CurrentThread.rest()
    }
    fatalError(
      """
      ActorStoreTesting: a thread of a simulation is blocked, and it is still blocked after the tasks that were stopped \
      at a point have continued. Their locks may wait for each other. Release a lock before a call to a store, to an \
      atom, or to Simulation.point(), or take the locks in one order.
      """)
  }

  /// How long the threads have to finish, in milliseconds.
  private static let patience = 10_000
}
