extension Simulation {
  /// How a simulated run ended.
  public enum Verdict: Hashable, Sendable {
    /// The body returned or threw, and nothing it started can run.
    case finished
    /// Proven, no timeout is involved: nothing can run, nobody sleeps, and the body has not ended.
    ///
    /// The proof holds for all that goes through Swift's runtime. A thread of another maker, a dispatch queue or a
    /// callback of the system, is seen only when it resumes a task; the run is then ``escaped(_:)``.
    case deadlock
    /// As ``deadlock``, but not proven: this runtime does not show all the ways in which work can leave.
    case stalled
    /// The body went on for more steps than it was allowed: it may be a task that never ends.
    case stepLimit
    /// Work left the simulation.
    case escaped(Escape)
  }
}
