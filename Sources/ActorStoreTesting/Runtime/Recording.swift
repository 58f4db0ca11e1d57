import ActorStore

/// A log of the steps of each task in one run.
///
/// Recording does not change the run, because it neither suspends nor starts a task.
final class Recording: @unchecked Sendable {
  // `@unchecked` is valid because only the thread of one simulation accesses mutable properties.

  struct Line {
    /// The step, or 0 before the first step.
    let step: Int
    /// The lane of a task, or `nil` if no task did this, as when an actor processes its mailbox.
    let lane: Int?
    let text: String
  }

  private let owner = CurrentThread()
  private(set) var lines: [Line] = []
  /// The names of tasks, by lane.
  private(set) var givenNames: [Int: String] = [:]
  private(set) var turns = TurnRecord()
  var bodyHasEnded = false
  private var lanes: [UInt64: Int] = [:]
  private var step = 0
  /// The lane of the current step, or `nil` while an actor processes its mailbox.
  private var stepLane: Int?
  /// The line for the current step, unless another line describes it.
  private var silentStep: Line?

  /// The observer for the stores that the run creates.
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

  /// Records that a job begins.
  ///
  /// A step whose job is `nil` gets no line of its own.
  func begin(step: Int, of job: SwiftRuntime.Job?) {
    if step != self.step { end() }
    self.step = step
    stepLane = nil
    switch job {
    case .task(let task):
      stepLane = lane(of: task)
      silentStep = Line(step: step, lane: stepLane, text: "runs")
    case .other: silentStep = Line(step: step, lane: nil, text: "an actor processes its mailbox")
    case .endOfYield, nil: silentStep = nil
    }
  }

  /// Ends the current step.
  func end() {
    if let silentStep { lines.append(silentStep) }
    silentStep = nil
  }

  /// Records that the current task made a job ready.
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

  /// Records that no task could run, and that virtual time advanced.
  func time(isNow now: Duration) {
    end()
    add("time advances to \(now)", nil)
  }

  /// Adds a line for the running task.
  func note(_ text: String) {
    add(text, currentLane)
  }

  private func add(_ text: String, _ lane: Int?) {
    silentStep = nil
    lines.append(Line(step: step, lane: lane, text: text))
  }

  private var currentLane: Int? {
    // While a task hops to an actor, it is no longer the current task.
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
