/// The text of a failure: what went wrong, how to run it again, who waits for whom, what each task did.
struct FailureReport {
  let verdict: Simulation.Verdict
  let error: (any Error)?
  let strategy: Simulation.Strategy
  let schedulesRun: Int
  let decisionsFound: [Int]
  let schedule: Simulation.Schedule
  let recording: Recording

  var text: String {
    var parts = ["\(headline)\n\(facts)"]
    let waits = recording.turns.waits(naming: recording.name)
    if !waits.isEmpty { parts.append("who waits for whom\n" + waits.map { "  \($0)" }.joined(separator: "\n")) }
    parts.append("what each task did (\(laneNames))\n\(Lanes(lines: recording.lines, count: recording.laneCount))")
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var headline: String {
    switch verdict {
    case .finished where error is TestStoreFailure: "Found wrong: \(error.map { "\($0)" } ?? "nothing")"
    case .finished: "The body threw: \(error.map { "\($0)" } ?? "nothing")"
    case .deadlock: "Deadlock, proven: nothing can run, nobody sleeps, and \(whatHasNotEnded) has not ended."
    case .stalled:
      """
      Stalled: nothing can run and \(whatHasNotEnded) has not ended. It is not proven to be a deadlock, because this \
      runtime does not show all the ways in which work can leave a simulation.
      """
    case .stepLimit:
      "Step limit: the body went on for longer than it was allowed. It may never end; else raise `maxSteps`."
    case .escaped(let escape): "Escaped: \(escape.explanation)"
    }
  }

  private var whatHasNotEnded: String {
    recording.bodyHasEnded ? "what the body sent to a store" : "the body"
  }

  private var facts: String {
    let wasSimplified = decisionsFound.trimmed != schedule.decisions
    let simplified =
      wasSimplified ? "; minimised from \(forced(decisionsFound)) to \(forced(schedule.decisions))" : ""
    return """
        strategy    \(strategy), found after \(schedulesRun) \(schedulesRun == 1 ? "schedule" : "schedules")\(simplified)
        built with  \(Toolchain.description)
        replay      try Simulation.explore(.replay("\(schedule)")) { ... }
      """
  }

  /// How many decisions are not "first come, first served".
  private func forced(_ decisions: [Int]) -> String {
    let count = decisions.count { $0 != 0 }
    return "\(count) \(count == 1 ? "choice" : "choices")"
  }

  private var laneNames: String {
    let given = recording.givenNames.sorted { $0.key < $1.key }.map { lane, name in "\(lane) is \"\(name)\"" }
    return (["0 is the body"] + given).joined(separator: ", ")
  }
}
