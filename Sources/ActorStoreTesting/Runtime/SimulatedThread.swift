import ActorStore
import Dispatch
import Synchronization

/// A thread that takes part in a simulation: the one that started it, or one that continues it while others are stopped
/// in the middle of synchronous code.
///
/// Exactly one thread of a simulation runs at a time. A thread that lets another one run wakes it and then waits.
/// Threads are reused across schedules, because starting one takes longer than a schedule.
final class SimulatedThread: Sendable {
  /// Whether the thread has not been woken, has been woken, or sleeps on the semaphore.
  private enum State {
    static let waits = 0
    static let woken = 1
    static let sleeps = 2
  }

  private let state = Atomic<Int>(State.waits)
  private let semaphore = DispatchSemaphore(value: 0)
  /// The simulation that an idle thread continues when it wakes.
  private let work = Locked<SimulatedExecutor?>(nil)

  private static let idle = Locked<[SimulatedThread]>([])

  /// The system's number of the thread, or 0 before the thread has waited for the first time.
  private let number = Atomic<Int>(0)

  /// A sample of the thread's state, from any thread.
  func sample() -> BlockDetector.Sample {
    let number = number.load(ordering: .relaxed)
    return .init(thread: number, sleeps: CurrentThread.sleeps(ofThread: number))
  }

  // MARK: Waiting

  /// Wakes the thread, which waits or is about to.
  ///
  /// The woken thread sees everything that this thread wrote before the call.
  func wake() {
    if state.exchange(State.woken, ordering: .acquiringAndReleasing) == State.sleeps { semaphore.signal() }
  }

  /// Waits until another thread wakes this one.
  ///
  /// - Parameter endsEarly: A closure that the thread calls from time to time while it waits. If it returns `true`,
  ///   the wait ends.
  func wait(_ endsEarly: (() -> Bool)? = nil) {
    if number.load(ordering: .relaxed) == 0 { number.store(CurrentThread.systemNumber, ordering: .relaxed) }
    // Usually, the other thread lets this one continue within microseconds.
    for _ in 0..<Self.spins {
      if state.load(ordering: .acquiring) == State.woken {
        return state.store(State.waits, ordering: .relaxed)
      }
      CurrentThread.yield()
    }
    if state.compareExchange(expected: State.waits, desired: State.sleeps, ordering: .acquiringAndReleasing).exchanged {
      while state.load(ordering: .acquiring) == State.sleeps {
        guard let endsEarly else {
          semaphore.wait()
          continue
        }
        if semaphore.wait(timeout: .now() + .milliseconds(BlockDetector.interval)) == .timedOut, endsEarly() { break }
      }
    }
    state.store(State.waits, ordering: .relaxed)
  }

  private static var spins: Int { 200 }

  // MARK: Idle threads

  /// Lets an idle thread continue a simulation.
  static func run(_ executor: SimulatedExecutor) {
    let thread = idle.withLock { $0.popLast() } ?? start()
    thread.work.withLock { $0 = executor }
    executor.passBaton(to: thread)
  }

  /// Makes the thread available to any simulation.
  ///
  /// It must not touch the simulation anymore, except to let another thread continue.
  func becomeIdle() {
    Self.idle.withLock { $0.append(self) }
  }

  private static func start() -> SimulatedThread {
    let thread = SimulatedThread()
    CurrentThread.start {
      while true {
        thread.wait()
        guard let executor = thread.work.withLock({ $0.take() }) else { continue }
        executor.continueHere(on: thread)
      }
    }
    return thread
  }
}
