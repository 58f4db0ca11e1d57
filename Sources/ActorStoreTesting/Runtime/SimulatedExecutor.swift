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

    var isStopped: Bool { if case .stopped = self { true } else { false } }
  }

  var ready: ReadyJobs<Entry>
  /// The result, once the run is over.
  var verdict: Simulation.Verdict?
  let needsTasks: Bool
  let maxSteps: Int
  /// Whether the running task continues at its next point without a decision.
  var skipsNextPoint = false
  /// The number of nested calls in which the running job has no points, because a lock may be held.
  var pointlessDepth = 0
  /// The number of points since the end of the run.
  var pointsAfterEnd = 0
  /// The accesses of the steps, if the search needs them.
  var accesses: StepAccesses?
  /// The numbers of tasks, by their IDs in the runtime.
  ///
  /// The tasks are numbered in the order of their first appearance, which is the same in every run of a schedule.
  private var knownTasks: [UInt64: Int] = [:]
  private var taskCount = 0

  private typealias Sleeper = Parked<Result<Void, any Error>>
  private var timers = TimerQueue<Sleeper>()
  private var now = Duration.zero
  /// The first escape.
  private(set) var escape: Simulation.Escape?
  private var end: Result<Void, any Error>?
  /// The recorded failures, whether the body throws them or not.
  private var findings: [String] = []
  let recording: Recording?
  private let canProve: Bool?
  private(set) var hooks: SimulationHooks?

  private final class Foreign: Sendable {
    let count = Atomic<Int>(0)
  }

  private init(_ rule: Chooser.Rule, maxSteps: Int, recording: Recording?, canProve: Bool?) {
    active = ownerThread
    blockage = Blockage(ownerThread)
    self.canProve = canProve
    self.maxSteps = maxSteps
    ready = ReadyJobs(rule)
    needsTasks = rule.needsTasks
    if rule.needsSteps { accesses = StepAccesses() }
    self.recording = recording
  }

  /// Runs a body until it ends or cannot continue.
  ///
  /// If `canProve` is true, a run that cannot continue is a deadlock. By default, it is a deadlock if this runtime
  /// reports escapes.
  static func run(
    _ rule: Chooser.Rule,
    maxSteps: Int,
    recording: Recording? = nil,
    canProve: Bool? = nil,
    _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulatedRun {
    SwiftRuntime.installHooks()
    let executor = SimulatedExecutor(rule, maxSteps: maxSteps, recording: recording, canProve: canProve)
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
      }
    }
    let verdict = executor.drain()
    hooks.end()
    executor.hooks = nil
    recording?.bodyHasEnded = executor.end != nil
    return SimulatedRun(
      verdict: verdict,
      error: executor.error,
      choices: executor.ready.chooser.choices,
      fitsScript: !executor.ready.chooser.hasDiverged && executor.ready.chooser.unusedDecisions == 0,
      isExhaustible: !executor.ready.chooser.hasForced && executor.accesses?.hasMailbox != true,
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

  private func makeHooks() -> SimulationHooks {
    var note: (@Sendable (String) -> Void)?
    if recording != nil { note = { text in self.note { text } } }
    return SimulationHooks(
      continues: { self.continuesAtPause() },
      putBack: { self.putBack($0) },
      point: { self.point() },
      pointBeforeRecordedCall: { self.pointBeforeRecordedCall() },
      nestPointless: { self.nestPointless($0) },
      yield: { self.point(mustYield: true) },
      accesses: accesses == nil
        ? nil : .init(create: { self.created($0) }, touch: { self.touched($0, isWrite: $1, isHeld: $2) }),
      note: note,
      clock: SimulationClock(self),
      observer: recording?.observer)
  }

  /// The result of the run if it is over, or `nil` if it continues.
  ///
  /// If no task can run, it first lets sleeping tasks wake.
  func findVerdict() -> Simulation.Verdict? {
    while true {
      if let escape { return .escaped(escape) }
      if wasReachedByAnotherThread { return .escaped(.otherThread) }
      if !ready.isEmpty { return ready.steps >= maxSteps ? .stepLimit : nil }
      if case .failure = end { return .finished }
      // After the body has ended, sleeping tasks stay asleep, but an action that waits forever is a deadlock.
      if end != nil, !timers.isEmpty || hooks?.hasUnfinishedActions != true { return .finished }
      if !wakeSleepers() { return canProve ?? EscapeProbe.seesEscapes ? .deadlock : .stalled }
    }
  }

  /// Runs a step of a task on the current thread.
  func runStep(_ entry: Entry) {
    skipsNextPoint = false
    switch entry {
    case .stopped:
      preconditionFailure("ActorStoreTesting: a stopped thread has no job. This is a bug in ActorStoreTesting.")
    case .paused(let task):
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
  private func runAddition(_ body: () -> Void) {
    let count = ready.count
    body()
    if ready.count > count, case .job(let job) = ready.takeLast() { run(job, SwiftRuntime.job(job)) }
  }

  private func run(_ job: UnownedJob, _ kind: SwiftRuntime.Job) {
    if accesses != nil { beginJob(kind) }
    recording?.begin(step: ready.steps, of: kind)
    // Safe: this executor lives while it drains.
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if blockage.isFound { return }
    guard isHere else { return wasReached() }
    ready.append(.job(job), of: needsTasks ? number(of: SwiftRuntime.job(job)) : 0)
    recording?.enqueued(SwiftRuntime.job(job))
  }

  /// Decides whether the running task continues at the beginning or at the end of an `await`.
  ///
  /// A task outside of this simulation does. A task that has left, or another simulation, may use the same store, but
  /// this executor does not choose their steps.
  private func continuesAtPause() -> Bool {
    // The run is over. The task never continues, like every task that waits when a run ends.
    if SwiftRuntime.current === self, blockage.isFound { return false }
    guard isRunningHere, !skipsPoint() else { return true }
    accesses?.held = []
    // At the step limit and after an escape, suspend, so that `drain` ends the run.
    let stays = ready.staysAtPoint(needsTasks ? number(of: .endOfYield) : 0)
    return stays && ready.steps < maxSteps && escape == nil && verdict == nil
  }

  private func putBack(_ task: Parked<Void>) {
    guard isRunningHere else { return }
    recording?.note(Recording.letsAnotherRun)
    ready.append(.paused(task), of: needsTasks ? number(of: .endOfYield) : 0)
  }

  /// Whether the current thread runs this simulation, and not another one inside it.
  var isRunningHere: Bool { SwiftRuntime.current === self && !blockage.isFound }

  /// Whether the current thread runs this simulation, or did so before it ended.
  private var isHere: Bool {
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

  private func wasReached() {
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

  func number(of job: SwiftRuntime.Job) -> Int {
    let id: UInt64?
    switch job {
    case .task(let task): id = task
    case .endOfYield: id = SwiftRuntime.currentTaskID
    // An actor has no ID, and its address may be reused. Attribute its mailbox to the task that ran last.
    case .other:
      id = nil
      // The reduced search counts it as a new task.
      if accesses != nil {
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

  // MARK: Virtual time

  /// The virtual time of the run, or zero on another thread.
  var time: Duration { isHere ? now : .zero }

  /// Suspends until nothing else can run and this deadline is the earliest.
  ///
  /// If the deadline has passed, lets another task run, if one can.
  func sleep(until deadline: Duration) async throws {
    guard isRunningHere else {
      if !blockage.isFound { wasReached() }
      throw CancellationError()
    }
    try Task.checkCancellation()
    if deadline <= now {
      await hooks?.pause()
      return
    }
    let timer = TimerSlot()
    try await withTaskCancellationHandler {
      try await park { (sleeper: Sleeper) in
        if Task.isCancelled {
          sleeper.resume(returning: .failure(CancellationError()))
        } else {
          timer.id = timers.add(sleeper, until: deadline)
        }
      }.get()
    } onCancel: {
      if blockage.isFound { return }
      guard isHere else { return wasReached() }
      guard let id = timer.id else { return }
      timers.remove(id)?.resume(returning: .failure(CancellationError()))
    }
  }

  /// The timer of one sleep, which only the running thread accesses.
  private final class TimerSlot: @unchecked Sendable {
    var id: TimerQueue<Sleeper>.ID?
  }

  /// Advances the time to the earliest deadline, and makes all tasks that are due then ready.
  ///
  /// The schedule decides which of them runs first. Returns `false` if no task sleeps.
  private func wakeSleepers() -> Bool {
    guard let earliest = timers.earliest else { return false }
    now = earliest
    ready.isAfterBarrier = true
    recording?.time(isNow: now)
    for sleeper in timers.removeAll(until: now) { sleeper.resume(returning: .success(())) }
    return true
  }
}
