import ActorStore
import Synchronization

/// Runs tasks one at a time, in the order that a `Chooser` decides (SE-0417).
///
/// Tasks that prefer this executor stay here, with their child tasks, the default actors that they call, their
/// wake-ups, and the tasks that the library starts. In one step, a task runs until it suspends, or until a point at
/// which another thread could act.
///
/// The steps run on the thread that created the executor, until a task is stopped in the middle of synchronous code.
/// Its thread cannot run anything else until the task continues, so another thread runs the next steps
/// (`SimulatedExecutor+Threads`).
final class SimulatedExecutor: TaskExecutor, @unchecked Sendable {
  // `@unchecked` is valid because only the thread with the baton accesses mutable properties, and passing the baton
  // synchronizes the threads. Jobs from a thread outside the simulation are counted in `foreign` and do not run.
  // The properties that most steps use opt out of dynamic exclusivity checks, which would noticeably slow down each
  // schedule. Each access to them ends before the next one begins.
  private let owner = CurrentThread()
  let ownerThread = SimulatedThread()
  /// The thread that runs.
  var active: SimulatedThread
  let blockage: Blockage
  private let foreign = Foreign()
  /// The simulation in whose body this one runs.
  private let outer = SwiftRuntime.current

  enum Entry {
    case job(UnownedJob)
    /// A paused task that must first be made ready.
    case paused(Parked<Void>)
    /// A thread that was stopped in the middle of a job.
    case stopped(SimulatedThread)
    /// The running thread, inside of whose job the first step of a new task runs.
    case creator

    var isStopped: Bool { if case .stopped = self { true } else { false } }
  }

  @safe @exclusivity(unchecked) var ready: ReadyJobs<Entry>
  /// The result, once the run is over.
  @safe @exclusivity(unchecked) var verdict: Simulation.Verdict?
  let points: OptionalPoints
  /// The first steps that run inside the jobs of their creators, or `nil` unless the run belongs to a search.
  let nestedSteps: NestedSteps?
  /// The number of points after the creation of a task so far.
  var creations = 0
  /// The creation after which the first step of the new task runs, up to its first point.
  @safe @exclusivity(unchecked) var firstStep: Int?
  /// Whether that step runs inside the job of its creator.
  var isNested = false
  /// The number of nested steps so far.
  var nestedCount = 0
  /// Whether a nested step could not stop, so that the run must be repeated without such steps.
  var mustBeRepeated = false
  /// Whether the body's task has started.
  var hasBegun = false
  /// Whether a task was seen canceled.
  ///
  /// It is kept up to date only if `points` do not include cancellations.
  var hasSeenCancellation = false
  /// Whether a task has yielded.
  private var hasYielded = false
  let needsTasks: Bool
  /// Whether the search needs `accesses`.
  ///
  /// Each step asks, and a constant needs no check of exclusive access.
  let needsAccesses: Bool
  /// The number of nested calls in which the running job has no points, because a lock may be held.
  @safe @exclusivity(unchecked) var pointlessDepth = 0
  /// The number of points since the end of the run.
  var pointsAfterEnd = 0
  /// The accesses of the steps, if the search needs them.
  @safe @exclusivity(unchecked) var accesses: StepAccesses?
  /// The numbers of tasks, by their IDs in the runtime.
  ///
  /// The tasks are numbered in the order of their first appearance, which is the same in every run of a schedule.
  @safe @exclusivity(unchecked) private var knownTasks: [UInt64: Int] = [:]
  private var taskCount = 0
  /// Whether the running job processes the mailbox of an actor, and so may run several tasks.
  @safe @exclusivity(unchecked) var isInMailbox = false
  /// The greatest ID of a task that has become ready.
  @safe @exclusivity(unchecked) private var newestTask: UInt64 = 0

  typealias Sleeper = Parked<Result<Void, any Error>>
  @safe @exclusivity(unchecked) var timers = TimerQueue<Sleeper>()
  var now = Duration.zero
  /// The number of timers that may still fire while other tasks are ready.
  var earlyTimersLeft: Int
  /// The tasks whose next step comes after an advance of the time, if the search needs accesses.
  var advancers: [Int] = []
  /// The first escape.
  @safe @exclusivity(unchecked) private(set) var escape: Simulation.Escape?
  private var end: Result<Void, any Error>?
  /// The recorded failures, whether the body throws them or not.
  private var findings: [String] = []
  let recording: Recording?
  private let canProve: Bool?
  private(set) var hooks: SimulationHooks?

  private final class Foreign: Sendable {
    let count = Atomic<Int>(0)
  }

  private init(
    _ rule: Chooser.Rule, maxSteps: Int, _ points: OptionalPoints, _ nestedSteps: NestedSteps?, recording: Recording?,
    canProve: Bool?
  ) {
    self.points = points
    self.nestedSteps = nestedSteps
    earlyTimersLeft = points.earlyTimers
    active = ownerThread
    blockage = Blockage(ownerThread)
    self.canProve = canProve
    ready = ReadyJobs(rule, maxSteps: maxSteps, hasFairYields: points.hasFairYields)
    needsTasks = rule.needsTasks || points.hasFairYields
    needsAccesses = rule.needsSteps
    if needsAccesses { accesses = StepAccesses() }
    self.recording = recording
  }

  /// Runs a body until it ends or cannot continue.
  ///
  /// If `canProve` is true, a run that cannot continue is a deadlock. By default, it is a deadlock if this runtime
  /// reports escapes.
  static func run(
    _ rule: Chooser.Rule,
    maxSteps: Int,
    _ points: OptionalPoints = .all,
    _ nestedSteps: NestedSteps? = nil,
    recording: Recording? = nil,
    canProve: Bool? = nil,
    _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulatedRun {
    SwiftRuntime.installHooks()
    let executor = SimulatedExecutor(
      rule, maxSteps: maxSteps, points, nestedSteps, recording: recording, canProve: canProve)
    let hooks = executor.makeHooks()
    executor.hooks = hooks
    let outer = (SwiftRuntime.current, SimulationHooks.ofThread)
    (SwiftRuntime.current, SimulationHooks.ofThread) = (executor, hooks)
    defer {
      (SwiftRuntime.current, SimulationHooks.ofThread) = outer
      withExtendedLifetime(hooks) {}
    }
    SimulationHooks.$current.withValue(hooks) {
      // Set a priority, so that a run does not depend on its caller's priority.
      _ = Task(executorPreference: executor, priority: .medium) {
        do {
          try await body()
          executor.end = .success(())
        } catch {
          executor.end = .failure(error)
        }
        executor.findSleepers()
      }
    }
    let verdict = executor.drain()
    if verdict == .finished { executor.endBackgroundTasks() } else { recording?.findWaits() }
    hooks.end()
    executor.hooks = nil
    recording?.bodyHasEnded = executor.end != nil
    return SimulatedRun(
      verdict: verdict,
      error: executor.error,
      choices: executor.ready.chooser.choices,
      fitsScript: !executor.ready.chooser.hasDiverged && executor.ready.chooser.unusedDecisions == 0,
      hasYielded: executor.hasYielded,
      hasForced: executor.ready.chooser.hasForced,
      hasMailbox: executor.accesses?.hasMailbox == true,
      hasSeenCancellation: executor.hasSeenCancellation,
      nestedSteps: executor.nestedCount,
      mustBeRepeated: executor.mustBeRepeated,
      isInfeasible: verdict == .blocked && executor.blockage.isAtUnsafePoint,
      steps: executor.ready.steps,
      trace: executor.ready.trace,
      virtualTime: executor.time,
      executor: executor
    )
  }

  /// The error that the body threw, or else the recorded failures.
  ///
  /// If the body threw a `TestStoreFailure`, this error contains the failures of all test stores.
  private var error: (any Error)? {
    if findings.isEmpty { return end?.error }
    if let error = end?.error, !(error is TestStoreFailure) { return error }
    return TestStoreFailure(messages: findings)
  }

  /// Whether the body has returned or thrown.
  var bodyHasEnded: Bool { end != nil }

  /// The result of the run if it is over, or `nil` if it continues.
  ///
  /// If no task can run, it first lets sleeping tasks wake.
  func findVerdict() -> Simulation.Verdict? {
    while true {
      if let escape { return .escaped(escape) }
      if wasReachedByAnotherThread { return .escaped(.otherThread) }
      if !ready.isEmpty { return ready.isOver ? .stepLimit : nil }
      if case .failure = end { return .finished }
      // After the body has ended, sleeping tasks stay asleep, but an action that waits forever is a deadlock.
      if end != nil, timers.hasForeground || hooks?.hasUnfinishedActions != true { return .finished }
      if !wakeSleepers() { return canProve ?? EscapeProbe.seesEscapes ? .deadlock : .stalled }
    }
  }

  /// Runs a step of a task on the current thread.
  func runStep(_ entry: Entry) {
    switch entry {
    case .stopped, .creator:
      preconditionFailure("ActorStoreTesting: a stopped thread has no job. This is a bug in ActorStoreTesting.")
    case .paused(let task):
      timers.noteProgress()
      // This only makes the task ready.
      recording?.begin(step: ready.steps, of: nil)
      runAddition { task.resume(returning: ()) }
    case .job(let job):
      let kind = SwiftRuntime.job(job)
      guard case .endOfYield = kind else { return run(job, kind) }
      // The runtime splits a yield into two jobs. In a schedule, they are one step of the task that yields.
      runAddition { run(job, kind) }
    }
  }

  /// Runs the job that a closure makes ready.
  ///
  /// Today's runtimes make one ready, but they do not promise to.
  func runAddition(_ body: () -> Void) {
    let count = ready.count
    body()
    if ready.count > count, case .job(let job) = ready.takeLast() { run(job, SwiftRuntime.job(job)) }
  }

  private func run(_ job: UnownedJob, _ kind: SwiftRuntime.Job) {
    if case .task(let task) = kind, timers.isInBackground(task) {} else { timers.noteProgress() }
    if needsAccesses {
      beginJob(kind)
      if let index = advancers.firstIndex(of: ready.running) {
        advancers.remove(at: index)
        touchTime(isWrite: true)
      }
    }
    if !points.includeCancellations, !hasSeenCancellation, case .task = kind {
      hasSeenCancellation = SwiftRuntime.isCancelled(taskAt: SwiftRuntime.address(of: job)) ?? true
    }
    isInMailbox = if case .other = kind { true } else { false }
    recording?.begin(step: ready.steps, of: kind, at: SwiftRuntime.address(of: job))
    // Safe: this executor lives while it drains.
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// Cancels the sleeps of background tasks after the run.
  ///
  /// The task of a watchdog then ends. Otherwise, each run of a search would leave it behind, with all that it holds.
  /// This is not a step of the run.
  private func endBackgroundTasks() {
    for sleeper in timers.removeBackground() {
      let count = ready.count
      sleeper.resume(returning: .failure(CancellationError()))
      guard ready.count > count, case .job(let job) = ready.takeLast() else { continue }
      // Safe: this executor lives until its run returns.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if blockage.isFound { return }
    guard isHere else { return wasReached() }
    let kind = SwiftRuntime.job(job)
    let isNew = noteNewTask(kind)
    let number = needsTasks ? number(of: kind) : 0
    ready.append(.job(job), of: number, before: isNew ? .ownCode : .unknown)
    if case .endOfYield = kind {
      hasYielded = true
      if points.hasFairYields { ready.yields(number) }
    }
    recording?.enqueued(kind, at: SwiftRuntime.address(of: job))
    if isNew { pointAfterCreation(isChild: SwiftRuntime.isChild(job)) }
  }

  /// Whether a job is the first one of a task that has just been created.
  ///
  /// A task that was created earlier and starts now has a smaller ID than the newest one. The call that starts it has
  /// its own point.
  private func noteNewTask(_ job: SwiftRuntime.Job) -> Bool {
    guard case .task(let id) = job, id > newestTask, SwiftRuntime.hasTaskIDs else { return false }
    newestTask = id
    return true
  }

  /// Whether the current thread runs this simulation, and not another one inside it.
  var isRunningHere: Bool { SwiftRuntime.current === self && !blockage.isFound }

  /// Whether the current thread runs this simulation, or did so before it ended.
  var isHere: Bool {
    var simulation = SwiftRuntime.current
    while let current = simulation {
      if current === self { return true }
      // The threads of a blocked run run concurrently.
      if current.blockage.isFound { break }
      simulation = current.outer
    }
    return owner.isCurrent
  }

  /// Whether another thread has reached this executor.
  ///
  /// Another thread may still reach it after the run has ended.
  var wasReachedByAnotherThread: Bool {
    foreign.count.load(ordering: .sequentiallyConsistent) > 0
  }

  func wasReached() {
    foreign.count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Records an escape.
  ///
  /// Only the first escape counts.
  func escaped(_ escape: Simulation.Escape) {
    if blockage.isFound { return }
    guard isHere else { return wasReached() }
    guard self.escape == nil else { return }
    self.escape = escape
    ready.isClosed = true
    recording?.note("leaves the simulation")
  }

  /// Records a failure.
  ///
  /// The run fails, even if the body continues and returns.
  func found(_ message: String) {
    if blockage.isFound { return }
    guard isHere else { return wasReached() }
    findings.append(message)
    recording?.note(message)
  }

  /// Adds a line to the lane of the running task, if the run is recorded.
  func note(_ text: () -> String) {
    if isRunningHere { recording?.note(text()) }
  }

  /// The number of the running task, or 0 if the rule does not tell tasks apart.
  var runningNumber: Int { !needsTasks ? 0 : isInMailbox ? number(of: .endOfYield) : ready.running }

  private func number(of job: SwiftRuntime.Job) -> Int {
    let id: UInt64?
    switch job {
    case .task(let task): id = task
    case .endOfYield: id = SwiftRuntime.currentTaskID
    // An actor has no ID, and its address may be reused. Attribute its mailbox to the task that ran last.
    case .other:
      id = nil
      // The reduced search counts it as a new task.
      if needsAccesses {
        taskCount += 1
        return taskCount - 1
      }
    }
    guard let id else { return ready.running }
    if let known = knownTasks[id] { return known }
    defer { taskCount += 1 }
    knownTasks[id] = taskCount
    return taskCount
  }
}
