extension Simulation {
  /// How work left a simulation: from there on the schedule is no longer the simulation's.
  public enum Escape: Hashable, Sendable {
    /// `Task {}`, `Task.detached`, or whatever else asks for the global pool.
    case unstructuredTask
    /// `Task.sleep`, or a clock of the real time.
    case sleep
    /// A call of the main actor.
    case mainActor
    /// A thread that is not the simulation's resumed one of its tasks.
    case otherThread

    /// What happened and how to mend it.
    public var explanation: String {
      switch self {
      case .unstructuredTask:
        """
        A task started outside the simulation, because `Task {}` and `Task.detached` drop the executor of their \
        creator. Use a child task (a group, `async let`), `Task.inheritingExecutor {}`, or `send` to a store.
        """
      case .sleep:
        """
        Real time was waited for: `Task.sleep` and the clocks of the standard library are outside. Inject a clock, and \
        in the simulation inject `SimulationClock()`.
        """
      case .mainActor:
        """
        The main actor was called, and it runs on the main thread. Call what is behind it directly, or make the actor \
        a parameter.
        """
      case .otherThread:
        """
        Another thread resumed a task of the simulation: something waits for a dispatch queue, a callback of the \
        system or a detached task. Put a double in its place that answers inside the simulation.
        """
      }
    }
  }
}
