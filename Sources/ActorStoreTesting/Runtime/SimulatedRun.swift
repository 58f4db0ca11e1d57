/// The result of a simulated run.
struct SimulatedRun {
  let verdict: Simulation.Verdict
  /// The error that the body threw, or else the recorded failures.
  let error: (any Error)?
  let choices: [Chooser.Choice]
  /// Whether every nonzero decision of the script was used, and every used one was possible.
  let fitsScript: Bool
  /// Whether a task has yielded.
  let hasYielded: Bool
  /// Whether a task had to yield where the search would have let it continue.
  let hasForced: Bool
  /// Whether an actor has processed its mailbox, so that a reduced search cannot know what the steps share.
  let hasMailbox: Bool
  /// Whether a task was seen canceled, if the run did not include the points for cancellations.
  let hasSeenCancellation: Bool
  /// The number of nested steps.
  let nestedSteps: Int
  /// Whether the run must be repeated without nested steps (`NestedSteps`).
  let mustBeRepeated: Bool
  /// Whether a thread was blocked while another one was stopped where it may hold a lock.
  ///
  /// Such a schedule does not exist on several threads either, because the lock prevents it.
  let isInfeasible: Bool
  let steps: Int
  /// The steps with their accesses, if the search needs them.
  let trace: [Step]
  let virtualTime: Duration
  let executor: SimulatedExecutor

  var decisions: [Int] { choices.map(\.index) }
  /// Whether a search can still reach every schedule that follows from other decisions.
  var isExhaustible: Bool { !hasForced && !hasMailbox }
}

extension SimulatedRun {
  var hasFailed: Bool { verdict != .finished || error != nil }

  /// A hash that two different schedules hardly ever share (FNV-1a).
  var fingerprint: UInt64 {
    choices.reduce(0xcbf2_9ce4_8422_2325) { hash, choice in
      (hash ^ UInt64(choice.index << 16 | choice.width)) &* 0x100_0000_01b3
    }
  }

  /// Whether both runs have the same choices, steps, time, and verdict, and both or neither have an error.
  func isSame(as other: SimulatedRun) -> Bool {
    verdict == other.verdict && steps == other.steps && virtualTime == other.virtualTime
      && (error == nil) == (other.error == nil)
      && choices.elementsEqual(other.choices) { $0.index == $1.index && $0.width == $1.width }
  }

  /// Whether the run failed in the same way, possibly by other steps.
  func fails(like other: SimulatedRun) -> Bool {
    guard hasFailed, verdict == other.verdict else { return false }
    switch (error, other.error) {
    case (nil, nil): return true
    case (let error as Simulation.ExpectationFailed, let other as Simulation.ExpectationFailed):
      return error.location == other.location
    case (let error as TestStoreFailure, let other as TestStoreFailure): return error.sites.first == other.sites.first
    case (let error?, let other?): return type(of: error) == type(of: other)
    default: return false
    }
  }
}
