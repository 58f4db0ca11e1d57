extension Simulation {
  /// How a simulated run ended.
  public enum Verdict: Hashable, Sendable {
    /// The body returned or threw, and no task can run.
    ///
    /// If the body returned and no task sleeps, its stores also have no unfinished action. Tasks that sleep after the
    /// end of the body never wake.
    case finished
    /// No task can run, no task sleeps, and the body has not ended.
    ///
    /// The timer of a `TurnWatchdog` does not count as a sleeping task. The watchdog still reports the turns that are
    /// held in the deadlock.
    ///
    /// It is also the verdict if the body returned, but an action that it sent to a store has started and cannot
    /// continue.
    ///
    /// The verdict is proven, without a timeout, if all work stays inside the simulation. The simulation also notices
    /// work that leaves through the global executor, a sleep, or the main actor. It notices other work, such as on a
    /// custom executor, on a dispatch queue, or in a system callback, only when that work returns. The run is then
    /// ``escaped(_:)``. The simulation waits about a tenth of a second for such work. If the work takes longer, the
    /// simulation mistakes it for a deadlock.
    case deadlock
    /// Like ``deadlock``, but not proven, because this runtime does not report all ways in which work can leave.
    case stalled
    /// The run reached the maximum number of steps.
    ///
    /// One of its tasks may never end.
    case stepLimit
    /// A thread waited outside the simulation while other tasks were stopped at a point in synchronous code.
    ///
    /// One of those tasks probably holds a lock that the thread waits for. Release your locks before you call a store,
    /// access an atom, or call ``Simulation/point()``. On Linux, the simulation notices the blocked thread after it has
    /// slept for about a second. The tasks then continue without the simulation. If the thread stays blocked for another
    /// ten seconds, the program stops with a message. On other systems, the run never ends.
    case blocked
    /// Work left the simulation.
    case escaped(Escape)
  }
}
