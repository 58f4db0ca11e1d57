import ActorStore

/// What each task of one run did, written down while it runs.
///
/// A run that is written down is the same run: nothing here suspends or starts a task.
final class Recording: @unchecked Sendable {
  // The invariant behind `@unchecked`: it is touched on the thread of one simulation only.

  struct Line {
    /// 0 before the first step.
    let step: Int
    /// Nil for what no task did: an actor that works off its mailbox.
    let lane: Int?
    let text: String
  }

  private let owner = CurrentThread()
  private(set) var lines: [Line] = []
  /// The names that tasks were given, by lane.
  private(set) var givenNames: [Int: String] = [:]
  private(set) var turns = TurnRecord()
  var bodyHasEnded = false
  private var lanes: [UInt64: Int] = [:]
  private var step = 0
  /// Whose step it is; nil while an actor works off its mailbox.
  private var stepLane: Int?
  /// A step that nothing has been said about yet.
  private var silentStep: Line?

  /// The observer to make stores under.
  var observer: TurnObserver {
    TurnObserver(
      onStore: { store, name in if self.owner.isCurrent { self.turns.record(store: store, name: name) } },
      onEvent: { store, ticket, event in
        guard self.owner.isCurrent else { return }
        let lane = self.currentLane
        let turn = TurnRecord.Turn(store: store, ticket: ticket)
        if let text = self.turns.record(event, of: turn, in: lane, naming: self.name) { self.add(text, lane) }
      }
    )
  }

  var laneCount: Int { lanes.count }

  func name(_ lane: Int) -> String {
    let number = lane == 0 ? "the body" : "task \(lane)"
    return givenNames[lane].map { "\(number) \"\($0)\"" } ?? number
  }

  /// A job begins to run; nil for what is not worth a line.
  func begin(step: Int, of job: SwiftRuntime.Job?) {
    if step != self.step { end() }
    self.step = step
    stepLane = nil
    switch job {
    case .task(let task):
      stepLane = lane(of: task)
      silentStep = Line(step: step, lane: stepLane, text: "runs")
    case .other: silentStep = Line(step: step, lane: nil, text: "an actor works off its mailbox")
    case .endOfYield, nil: silentStep = nil
    }
  }

  /// The run is over.
  func end() {
    if let silentStep { lines.append(silentStep) }
    silentStep = nil
  }

  /// A job became ready, by what the current task did.
  func enqueued(_ job: SwiftRuntime.Job) {
    switch job {
    case .endOfYield: note("yields")
    case .other: note("calls an actor")
    case .task(let task):
      let isNew = lanes[task] == nil
      let other = lane(of: task)
      guard let current = SwiftRuntime.currentTaskID, lanes[current] != nil else { return }
      if task == current { note("hops") } else { note("\(isNew ? "starts" : "wakes") \(name(other))") }
    }
  }

  /// Nobody could run, and virtual time moved on.
  func time(isNow now: Duration) {
    end()
    add("time moves on to \(now)", nil)
  }

  /// Says something about the task that is running.
  func note(_ text: String) {
    add(text, currentLane)
  }

  private func add(_ text: String, _ lane: Int?) {
    silentStep = nil
    lines.append(Line(step: step, lane: lane, text: text))
  }

  private var currentLane: Int? {
    // A task that is just leaving for an actor is nobody's current one any more.
    guard let id = SwiftRuntime.currentTaskID, let lane = lanes[id] else { return stepLane }
    if givenNames[lane] == nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      givenNames[lane] = Task.name
    }
    return lane
  }

  private func lane(of task: UInt64) -> Int {
    if let known = lanes[task] { return known }
    lanes[task] = lanes.count
    return lanes.count - 1
  }
}
