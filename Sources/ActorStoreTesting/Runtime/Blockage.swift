import ActorStore
import Synchronization

/// Ends a run whose running thread is blocked, for example by a lock that a stopped thread holds.
///
/// While they wait, the stopped threads monitor the running one. If one of them finds it blocked, the run is over. All
/// threads then finish their jobs concurrently, as they would outside a simulation, which releases the lock. No thread
/// accesses the executor until only the thread that created it is left.
final class Blockage: Sendable {
  private let hasBeenFound = Atomic(false)
  private let isOver = Atomic(false)
  /// The number of threads that have a job of the run, besides the one that created the executor.
  private let others = Atomic(0)
  /// The number of threads that are stopped where they may hold a lock.
  private let unsafeStops = Atomic(0)
  private let running: Locked<SimulatedThread>

  init(_ thread: SimulatedThread) { running = Locked(thread) }

  /// Whether the run is over because a thread was blocked.
  var isFound: Bool { hasBeenFound.load(ordering: .acquiring) }

  // MARK: Threads

  /// Notes which thread runs from now on.
  func watch(_ thread: SimulatedThread) { running.withLock { $0 = thread } }

  func joined() { others.add(1, ordering: .relaxed) }

  func left() { others.subtract(1, ordering: .releasing) }

  /// Counts threads that are stopped where they may hold a lock.
  func stopsUnsafely(_ change: Int) { unsafeStops.add(change, ordering: .relaxed) }

  /// Whether a thread was stopped where it may hold a lock, when the running one was found blocked.
  var isAtUnsafePoint: Bool { unsafeStops.load(ordering: .relaxed) > 0 }

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
    if !detector.add(sample, isLikely: isAtUnsafePoint) { return false }
    if hasBeenFound.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged {
      CurrentThread.start { self.requireEnd() }
    }
    return true
  }

  /// Stops the program if the threads do not finish.
  ///
  /// The thread that created the executor may itself be waiting forever, so another thread must report the problem.
  private func requireEnd() {
    for _ in 0..<Self.patience {
      if isOver.load(ordering: .relaxed) { return }
      CurrentThread.rest()
    }
    fatalError(
      """
      ActorStoreTesting: a thread of a simulation is blocked, and stayed blocked after the tasks that were stopped \
      at a point continued. The threads may be waiting for each other's locks. Release your locks before you call a \
      store, access an atom, or call Simulation.point(), or always acquire them in the same order.
      """)
  }

  /// How long the threads have to finish, in milliseconds.
  private static let patience = 10_000
}
