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
    /// The text that repetitions of the line have, too.
    var pattern: String?
    /// Whether the line says more than others of its step.
    var isImportant = false
  }

  /// What is known about a task.
  struct Known {
    let lane: Int
    /// The task's address, which may be that of another task once this one has ended.
    let address: UInt
    /// The step in which the task last ran.
    var step = 0
    var isCanceled = false
  }

  private(set) var lines: [Line] = []
  /// The names of tasks, by lane.
  private(set) var givenNames: [Int: String] = [:]
  /// The functions of tasks without a name, by lane, where they are known.
  var functions: [Int: String] { taskFunctions.compactMapValues(\.text) }
  private(set) var turns = TurnRecord()
  /// What each task waits for at the end of the run, if it cannot continue.
  var waits: [Wait] = []
  var bodyHasEnded = false
  /// The tasks by their IDs.
  private(set) var tasks: [UInt64: Known] = [:]
  private var taskFunctions: [Int: TaskFunction] = [:]
  private var tracesLeft = Recording.maxTraces
  private var step = 0
  /// The lane of the current step, or `nil` while an actor processes its mailbox.
  private var stepLane: Int?
  /// The task of the current step, if `stepLane` is not `nil`.
  private var stepTask: UInt64?
  /// The task of the current step, unless a line describes the step.
  private var silentTask: UInt64?
  /// The addresses of the jobs that will process the mailboxes of actors.
  private var mailboxes: Set<UInt> = []
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
        if let text { self.add(event.isCallOfClient ? self.withLine(text) : text, lane) }
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

  var laneCount: Int { tasks.count }

  func name(_ lane: Int) -> String {
    let number = lane == 0 ? "the body" : "task \(lane)"
    return givenNames[lane].map { "\(number) \"\($0)\"" } ?? number
  }

  /// Records that a job begins.
  ///
  /// A step whose job is `nil` gets no line of its own.
  ///
  /// - Parameter address: The address of the job, if it processes a mailbox.
  func begin(step: Int, of job: SwiftRuntime.Job?, at address: UInt = 0) {
    if step != self.step { end() }
    self.step = step
    (stepLane, stepTask) = (nil, nil)
    switch job {
    case .task(let task):
      (stepLane, stepTask, silentTask) = (tasks[task]?.lane, task, task)
      silentStep = nil
      tasks[task]?.step = step
      if noteCancellation(of: task) { add("was canceled before this step", stepLane) }
    case .other:
      mailboxes.remove(address)
      let line = line(of: SwiftRuntime.mailbox(at: address))
      // No other line says which tasks the actor runs.
      if line.isImportant { lines.append(line) } else { silentStep = line }
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
    guard let task = silentTask, let known = tasks[task] else { return }
    silentTask = nil
    guard SwiftRuntime.suspendedTask(at: known.address, id: task)?.isEnqueued == true else { return }
    // It waits for an actor that is already going to process its mailbox.
    let mailbox = mailboxes.lazy.compactMap(SwiftRuntime.mailbox).first { $0.tasks.contains(task) }
    lines.append(Line(step: step, lane: known.lane, text: entry(of: task, into: mailbox) + ": waits"))
  }

  /// Records that the current task made a job ready.
  func enqueued(_ job: SwiftRuntime.Job, at address: UInt) {
    switch job {
    case .endOfYield: note("yields")
    case .other:
      mailboxes.insert(address)
      let mailbox = SwiftRuntime.mailbox(at: address)
      let task = mailbox?.tasks.first ?? stepTask
      add(entry(of: task, into: mailbox), task.flatMap { tasks[$0]?.lane } ?? currentLane)
    case .task(let task):
      let isNew = tasks[task] == nil
      if isNew { add(task, at: address) }
      guard let current = SwiftRuntime.currentTaskID, tasks[current] != nil else { return }
      if task == current {
        return note("leaves an actor" + (nextCall(of: task).map { ", to continue in \($0.function)" } ?? ""))
      }
      let canceled = noteCancellation(of: task) ? ", which is already canceled" : ""
      note("\(isNew ? "starts" : "wakes") \(tasks[task].map { name($0.lane) } ?? "a task")\(canceled)")
    }
  }

  private func add(_ task: UInt64, at address: UInt) {
    let lane = tasks.count
    tasks[task] = Known(lane: lane, address: address)
    if let name = SwiftRuntime.suspendedTask(at: address, id: task)?.name { givenNames[lane] = name }
  }

  /// A line for the step in which an actor runs the tasks that wait for it.
  private func line(of mailbox: SwiftRuntime.Mailbox?) -> Line {
    let lanes = mailbox?.tasks.reversed().compactMap { tasks[$0]?.lane } ?? []
    guard let mailbox, let first = lanes.first else {
      return Line(step: step, lane: nil, text: "an actor processes its mailbox")
    }
    if lanes.count > 1 {
      return Line(
        step: step, lane: nil, text: "\(mailbox.actor) runs \(lanes.map(name).joined(separator: " and "))",
        isImportant: true)
    }
    let function = nextCall(of: mailbox.tasks[0]).map { ", in \($0.function)" } ?? ""
    return Line(step: step, lane: first, text: "runs on \(mailbox.actor)\(function)")
  }

  /// Describes how a task enters an actor.
  private func entry(of task: UInt64?, into mailbox: SwiftRuntime.Mailbox?) -> String {
    let actor = mailbox?.actor ?? "an actor"
    guard let call = nextCall(of: task) else { return "calls \(actor)" }
    if !call.function.contains("\(actor).") { return "calls \(actor) from \(call.function)" }
    return "\(call.isStart ? "calls" : "returns to") \(call.function)"
  }

  /// The function in which a task that changes its executor will continue, if that is known.
  private func nextCall(of task: UInt64?) -> CallTrace.Call? {
    guard let task, let known = tasks[task],
      let suspended = SwiftRuntime.suspendedTask(at: known.address, id: task)
    else { return nil }
    return CallTrace.calls(awaitingAt: Array(suspended.resumePoints.prefix(1))).first { $0.owner == .client }
  }

  /// Whether a task that will run has been canceled since this method last looked.
  private func noteCancellation(of task: UInt64) -> Bool {
    guard let known = tasks[task], !known.isCanceled, SwiftRuntime.isCancelled(taskAt: known.address) == true else {
      return false
    }
    tasks[task]?.isCanceled = true
    return true
  }

  /// Records that no task could run, and that virtual time advanced.
  ///
  /// - Parameters:
  ///   - now: The new time.
  ///   - isEarly: Whether other tasks could have run instead.
  func time(isNow now: Duration, isEarly: Bool = false) {
    end()
    let (pattern, early) = ("time advances", isEarly ? ", although other tasks can run" : "")
    add("\(pattern) to \(now)\(early)", nil, pattern: pattern + early)
  }

  /// Adds a line for the running task.
  func note(_ text: String) {
    add(text, currentLane)
  }

  /// Adds a line for a call of the running task, with its place.
  func noteCall(_ text: String) {
    let lane = currentLane
    add(withLine(text), lane)
  }

  /// Adds the line of the client's call that is in progress, if it is known.
  private func withLine(_ text: String) -> String {
    trace()?.site.flatMap(CallTrace.location).map { "\(text) (\($0))" } ?? text
  }

  private func add(_ text: String, _ lane: Int?, pattern: String? = nil) {
    (silentStep, silentTask) = (nil, nil)
    lines.append(Line(step: step, lane: lane, text: text, pattern: pattern))
  }

  private var currentLane: Int? {
    // While a task hops to an actor, it is no longer the current task.
    guard let id = SwiftRuntime.currentTaskID, let lane = tasks[id]?.lane else { return stepLane }
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

  /// Records the name of a task, which may never have run.
  func name(_ lane: Int, _ name: String) {
    if givenNames[lane] == nil { givenNames[lane] = name }
  }

  /// Names a task that has not run by its function.
  func name(_ lane: Int, function: CallTrace.Call) {
    if taskFunctions[lane]?.isFinal != true {
      taskFunctions[lane] = TaskFunction(text: described(function), isFinal: true)
    }
  }

  func described(_ function: CallTrace.Call) -> String {
    function.function + (CallTrace.location(of: function).map { " (\($0))" } ?? "")
  }

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
    function.text = trace.taskFunction.map(described)
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
}

extension TurnObserver.Event {
  /// Whether a client has made the call that the event reports, so that its line says more.
  fileprivate var isCallOfClient: Bool {
    switch self {
    case .read, .canceled, .refused, .subscribed: true
    default: false
    }
  }
}
