extension Simulation {
  /// How a simulated run ended.
  public enum Verdict: Hashable, Sendable {
    /// The body returned or threw, nothing it started can run, and no store it made has an action under way.
    case finished
    /// Proven, no timeout is involved: nothing can run, nobody sleeps, and the body has not ended.
    ///
    /// Or the body has ended, and an action that it sent to a store has the turn and cannot go on. The proof holds for
    /// what stays inside or leaves as ``Escape`` lists. What leaves by an executor of its own, a dispatch queue or a
    /// callback of the system, is seen only when it comes back: then the run is ``escaped(_:)``. It is given a tenth
    /// of a second to do so.
    case deadlock
    /// As ``deadlock``, but not proven: this runtime does not show all the ways in which work can leave.
    case stalled
    /// The body went on for more steps than it was allowed: it may be a task that never ends.
    case stepLimit
    /// Work left the simulation.
    case escaped(Escape)
  }
}
