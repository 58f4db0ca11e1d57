import ActorStore

/// A log of the steps of each task in one run.
///
/// Recording does not change the run, because it neither suspends nor starts a task.
final class Recording: @unchecked Sendable {
  // `@unchecked` is valid because only the running thread of one simulation accesses mutable properties.

  struct Line {
    /// The step, or 0 before the first step.
    let step: Int
    /// The lane of a task, or `nil` if no task did this, as when an actor processes its mailbox.
    let lane: Int?
    let text: String
  }

  private(set) var lines: [Line] = []
  /// The names of tasks, by lane.
  private(set) var givenNames: [Int: String] = [:]
  /// The functions of tasks without a name, by lane, where they are known.
  var functions: [Int: String] { taskFunctions.compactMapValues(\.text) }
  private(set) var turns = TurnRecord()
  var bodyHasEnded = false
  private var lanes: [UInt64: Int] = [:]
  private var taskFunctions: [Int: TaskFunction] = [:]
  private var tracesLeft = Recording.maxTraces
  private var step = 0
  /// The lane of the current step, or `nil` while an actor processes its mailbox.
  private var stepLane: Int?
  /// The line for the current step, unless another line describes it.
  private var silentStep: Line?

  /// The observer for the stores that the run creates.
  var observer: TurnObserver {
    TurnObserver(
      onStore: { store, name in if self.isHere { self.turns.record(store: store, name: name) } },
      onEvent: { store, ticket, event in
        guard self.isHere else { return }
        let lane = self.currentLane
        let turn = TurnRecord.Turn(store: store, ticket: ticket)
        let text = self.turns.record(event, of: turn, in: lane, from: self.findCallSite, naming: self.name)
        if let text { self.add(text, lane) }
      }
    )
  }

  /// Whether the current thread runs the recorded simulation.
  private var isHere: Bool {
    guard let simulation = SwiftRuntime.current else { return false }
    return simulation.recording === self && simulation.isRunningHere
  }

  /// The line of a task that a simulation stops or suspends.
  static let letsAnotherRun = "lets another task run first"

  /// The lanes of the tasks that are stopped in the middle of synchronous code.
  private(set) var stoppedLanes: [Int] = []
  /// The lane of the current step.
  var lastLane: Int? { stepLane }

  /// Records that the current task is stopped in the middle of its job.
  func stop() {
    guard let lane = currentLane else { return }
    stoppedLanes.append(lane)
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
      silentStep = nil
    case .other: silentStep = Line(step: step, lane: nil, text: "an actor processes its mailbox")
    case .endOfYield, nil: silentStep = nil
    }
  }

  /// Records that a task continues in the middle of its job, on the current thread.
  func resume(step: Int) {
    begin(step: step, of: SwiftRuntime.currentTaskID.map { .task($0) })
    if let lane = stepLane, let index = stoppedLanes.lastIndex(of: lane) { stoppedLanes.remove(at: index) }
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
  ///
  /// - Parameters:
  ///   - now: The new time.
  ///   - isEarly: Whether other tasks could have run instead.
  func time(isNow now: Duration, isEarly: Bool = false) {
    end()
    add("time advances to \(now)\(isEarly ? ", although other tasks can run" : "")", nil)
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
    nameCurrent(lane)
    return lane
  }

  // MARK: Names

  /// The search for the function of a task.
  private struct TaskFunction {
    var text: String?
    var traces = 0
    /// Whether another trace would not find more.
    var isFinal = false
  }

  /// The maximum number of call traces in a run.
  ///
  /// A run that reaches the step limit can have a hundred thousand events.
  private static let maxTraces = 1_000
  /// The maximum number of call traces in which to look for the function of a task.
  private static let maxTracesOfTask = 16

  /// Finds the name of the running task, or else its function.
  private func nameCurrent(_ lane: Int) {
    if givenNames[lane] != nil { return }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), let name = Task.name {
      givenNames[lane] = name
      return
    }
    var function = taskFunctions[lane] ?? TaskFunction()
    guard lane != 0, !function.isFinal, function.traces < Self.maxTracesOfTask, let trace = trace() else { return }
    function.traces += 1
    function.isFinal = trace.isComplete
    function.text = trace.taskFunction.map { call in
      call.function + (CallTrace.location(of: call).map { " (\($0))" } ?? "")
    }
    taskFunctions[lane] = function
  }

  /// Finds the place of the current call in the client's code.
  private func findCallSite() -> String? {
    trace()?.site.map { call in CallTrace.location(of: call).map { "at \($0)" } ?? "in \(call.outermostFunction)" }
  }

  /// Returns the calls in progress in the running task, unless too many traces were made.
  private func trace() -> CallTrace? {
    guard tracesLeft > 0 else { return nil }
    tracesLeft -= 1
    return CallTrace.capture()
  }

  private func lane(of task: UInt64) -> Int {
    if let known = lanes[task] { return known }
    lanes[task] = lanes.count
    return lanes.count - 1
  }
}
