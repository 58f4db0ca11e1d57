extension Simulation {
  /// A way in which work leaves a simulation.
  ///
  /// After an escape, the simulation no longer controls the schedule.
  public enum Escape: Hashable, Sendable {
    /// A job was enqueued on the global executor, for example by `Task {}` or `Task.detached`.
    case unstructuredTask
    /// A task slept in real time, for example with `Task.sleep`.
    case sleep
    /// A task called the main actor.
    case mainActor
    /// Another thread reached the simulation, for example by resuming one of its tasks.
    case otherThread

    /// An explanation of the escape, with a remedy.
    var explanation: String {
      switch self {
      case .unstructuredTask:
        """
        A task ran outside the simulation. `Task {}` and `Task.detached` drop the executor of their creator. Use a \
        child task (a group or `async let`), `Task.inheritingExecutor {}`, or `send` of a store.
        """
      case .sleep:
        """
        A task waited in real time. `Task.sleep` and the clocks of the standard library leave the simulation. Inject a \
        clock, and in the simulation, inject `SimulationClock()`.
        """
      case .mainActor:
        """
        A task called the main actor, which runs on the main thread. Call the code behind it directly, or make the \
        actor a parameter.
        """
      case .otherThread:
        """
        Another thread reached the simulation, probably because a task waits for a dispatch queue, a system callback, \
        or a detached task. Replace it with a test double that answers inside the simulation.
        """
      }
    }
  }
}
