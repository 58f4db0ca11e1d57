/// What a simulated run came to.
struct SimulatedRun {
  let verdict: Simulation.Verdict
  /// What the body threw.
  let error: (any Error)?
  let choices: [Chooser.Choice]
  /// Every decision of the script was asked for and possible.
  let fitsScript: Bool
  /// Every schedule that follows from other decisions can still be reached.
  let isExhaustible: Bool
  let steps: Int
  let virtualTime: Duration
  let executor: SimulatedExecutor

  var decisions: [Int] { choices.map(\.index) }
}

extension SimulatedRun {
  var hasFailed: Bool { verdict != .finished || error != nil }

  /// A number that two different schedules hardly ever share (FNV-1a).
  var fingerprint: UInt64 {
    choices.reduce(0xcbf2_9ce4_8422_2325) { hash, choice in
      (hash ^ UInt64(choice.index << 16 | choice.width)) &* 0x100_0000_01b3
    }
  }

  /// The same in all that can be told.
  func isSame(as other: SimulatedRun) -> Bool {
    verdict == other.verdict && steps == other.steps && virtualTime == other.virtualTime
      && (error == nil) == (other.error == nil)
      && choices.elementsEqual(other.choices) { $0.index == $1.index && $0.width == $1.width }
  }

  /// It went wrong in the same way, if by other steps.
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
