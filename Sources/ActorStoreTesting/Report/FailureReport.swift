/// The text of a failure: the error, the call that replays it, the pending actions, and the steps of each task.
struct FailureReport {
  let verdict: Simulation.Verdict
  let error: (any Error)?
  let strategy: Simulation.Strategy
  let schedulesRun: Int
  let decisionsFound: [Int]
  let schedule: Simulation.Schedule
  var timers = Simulation.Timers.race(upTo: 1)
  let recording: Recording
  /// The recording of another run, if two runs of the schedule were different.
  var otherRecording: Recording?

  var text: String {
    var parts = ["\(headline)\n\(facts)"]
    if let otherRecording { parts.append(whereRunsPart(otherRecording)) }
    let waits = recording.turns.waits(except: Set(recording.waits.map(\.lane)), naming: recording.name)
    if !waits.isEmpty { parts.append("pending actions\n" + waits.map { "  \($0)" }.joined(separator: "\n")) }
    if !recording.waits.isEmpty, verdict == .deadlock || verdict == .stalled { parts.append(waitingTasks) }
    if verdict == .blocked { parts.append(threads) }
    let lanes = Lanes(lines: recording.lines, count: recording.laneCount)
    parts.append("timeline (\(names(of: lanes)))\n\(lanes)")
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var headline: String {
    switch verdict {
    case .finished where error is TestStoreFailure: "Recorded failures: \(error.map { "\($0)" } ?? "nothing")"
    case .finished where error is Simulation.NotReproducible || error is Simulation.ScheduleDoesNotFit:
      "The run failed: \(error.map { "\($0)" } ?? "nothing")"
    case .finished: "The body threw: \(error.map { "\($0)" } ?? "nothing")"
    case .deadlock: "Deadlock, proven: no task can run, no task sleeps, and \(whatHasNotEnded) has not ended."
    case .stalled:
      """
      Stalled: no task can run, no task sleeps, and \(whatHasNotEnded) has not ended. This is not proven to be a \
      deadlock, because this runtime does not report all ways in which work can leave a simulation.
      """
    case .stepLimit:
      """
      Step limit: the run reached `maxSteps`. If the end of the timeline repeats, a task polls for something that \
      never happens, or it loops forever. If the run only needs more steps, pass a larger `maxSteps`.
      """
    case .blocked:
      """
      Blocked: a thread waits outside the simulation, probably for a lock held by a task that is stopped at a point. \
      Release your locks before you call a store, access an atom, or call `Simulation.point()`.
      """
    case .escaped(let escape): "Escaped: \(escape.explanation)"
    }
  }

  /// The first lines in which two runs of the schedule differ.
  private func whereRunsPart(_ other: Recording) -> String {
    func text(_ line: Recording.Line?, in recording: Recording) -> String {
      guard let line else { return "the run has ended" }
      return "step \(line.step): \(line.lane.map { "\(recording.name($0)) " } ?? "")\(line.text)"
    }
    let (one, two) = (recording.lines, other.lines)
    let longest = max(one.count, two.count)
    let index = (0..<longest).first { index in
      guard index < one.count, index < two.count else { return true }
      let (one, two) = (one[index], two[index])
      return one.step != two.step || one.lane != two.lane || one.text != two.text
    }
    guard let index else {
      return "first difference between two runs\n  The two recorded runs are the same, but two earlier runs differed."
    }
    return """
      first difference between two runs
        shown below  \(text(index < one.count ? one[index] : nil, in: recording))
        another run  \(text(index < two.count ? two[index] : nil, in: other))
      """
  }

  /// What each task waits for.
  private var waitingTasks: String {
    let waits = recording.waits.map { wait in
      "  \(recording.name(wait.lane)) waits \(wait.what), since step \(wait.step)\n    in \(wait.function)"
    }
    return (["waiting tasks"] + waits).joined(separator: "\n")
  }

  /// What the blocked task and the stopped tasks did last, and the actions that they run.
  private var threads: String {
    let stopped = recording.stoppedLanes.map { line(of: $0, "is stopped") }
    let blocked = recording.lastLane.map { line(of: $0, "is blocked") }
    return (["threads"] + [blocked].compactMap(\.self) + stopped).joined(separator: "\n")
  }

  private func line(of lane: Int, _ what: String) -> String {
    let last = recording.lines.last { $0.lane == lane && $0.text != Recording.letsAnotherRun }
    let actions = recording.turns.actions(in: lane).map { ", in \($0)" }.joined()
    return "  \(recording.name(lane)) \(what)\(last.map { ", after: \($0.text)" } ?? "")\(actions)"
  }

  private var whatHasNotEnded: String {
    recording.bodyHasEnded ? "an action that the body sent" : "the body"
  }

  private var facts: String {
    let wasSimplified = decisionsFound.trimmed != schedule.decisions
    let simplified =
      wasSimplified ? "; minimized from \(forced(decisionsFound)) to \(forced(schedule.decisions))" : ""
    return """
        strategy    \(strategy), found after \(schedulesRun) \(schedulesRun == 1 ? "schedule" : "schedules")\
      \(simplified)
        built with  \(Toolchain.description)
        replay      \(replay)
      """
  }

  /// The call that runs the schedule again.
  private var replay: String {
    if otherRecording != nil { return "impossible, because two runs of the schedule are different" }
    let timers = timers == .race(upTo: 1) ? "" : ", timers: .race(upTo: \(timers.maxEarly))"
    return "try Simulation.explore(.replay(\"\(schedule)\")\(timers)) { ... }"
  }

  /// The number of nonzero decisions, in words.
  private func forced(_ decisions: [Int]) -> String {
    let count = decisions.count { $0 != 0 }
    return "\(count) \(count == 1 ? "choice" : "choices")"
  }

  private func names(of lanes: Lanes) -> String {
    LaneNames(lanes: lanes.shown, givenNames: recording.givenNames, functions: recording.functions)
      .lines(maxLength: 100).joined(separator: "\n          ")
  }
}
