import ActorStore
import Synchronization

/// Runs tasks one at a time on the thread that created it, in the order that a `Chooser` decides (SE-0417).
///
/// Tasks that prefer this executor stay here, with their child tasks, the default actors that they call, their
/// wake-ups, and the tasks that the library starts. In one step, a task runs until it suspends.
final class SimulatedExecutor: TaskExecutor, @unchecked Sendable {
  // `@unchecked` is valid because only the owner's thread accesses mutable properties. Jobs from another thread are
  // counted in `foreign` and do not run.
  private let owner = CurrentThread()
  private let foreign = Foreign()

  /// A job, or a paused task that must first be made ready.
  private enum Entry {
    case job(UnownedJob)
    case paused(Parked<Void>)
  }

  private var ready: ReadyJobs<Entry>
  private let needsTasks: Bool
  private let maxSteps: Int
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
  private let recording: Recording?

  private final class Foreign: Sendable {
    let count = Atomic<Int>(0)
  }

  private init(_ rule: Chooser.Rule, maxSteps: Int, recording: Recording?) {
    self.maxSteps = maxSteps
    ready = ReadyJobs(rule)
    needsTasks = rule.needsTasks
    self.recording = recording
  }

  /// Runs a body on the calling thread until it ends or cannot continue.
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
    let executor = SimulatedExecutor(rule, maxSteps: maxSteps, recording: recording)
    let outer = SwiftRuntime.current
    SwiftRuntime.current = executor
    defer { SwiftRuntime.current = outer }
    let hooks = SimulationHooks(
      pause: { await executor.pause() }, clock: SimulationClock(executor), observer: recording?.observer)
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
    let verdict = executor.drain(hooks, canProve)
    hooks.end()
    recording?.bodyHasEnded = executor.end != nil
    return SimulatedRun(
      verdict: verdict,
      error: executor.error,
      choices: executor.ready.chooser.choices,
      fitsScript: !executor.ready.chooser.hasDiverged && executor.ready.chooser.unusedDecisions == 0,
      isExhaustible: !executor.ready.chooser.hasForced,
      steps: executor.ready.steps,
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

  private func drain(_ hooks: SimulationHooks, _ canProve: Bool?) -> Simulation.Verdict {
    while true {
      if let escape { return .escaped(escape) }
      if wasReachedByAnotherThread { return .escaped(.otherThread) }
      if ready.isEmpty {
        if case .failure = end { return .finished }
        // After the body has ended, sleeping tasks stay asleep, but an action that waits forever is a deadlock.
        if end != nil, !timers.isEmpty || !hooks.hasUnfinishedActions { return .finished }
        if wakeSleepers() { continue }
        return canProve ?? EscapeProbe.seesEscapes ? .deadlock : .stalled
      }
      if ready.steps >= maxSteps { return .stepLimit }
      runStep(ready.next())
    }
  }

  private func runStep(_ entry: Entry) {
    switch entry {
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
    recording?.begin(step: ready.steps, of: kind)
    // Safe: this executor lives while it drains.
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard owner.isCurrent else { return wasReached() }
    ready.append(.job(job), of: needsTasks ? number(of: SwiftRuntime.job(job)) : 0)
    recording?.enqueued(SwiftRuntime.job(job))
  }

  /// Lets another task run, if one can.
  ///
  /// Does nothing outside of this simulation. A task that has left, or another simulation, may use the same store, but
  /// this executor does not choose their steps.
  func pause() async {
    guard isRunningHere else { return }
    let number = needsTasks ? number(of: .endOfYield) : 0
    // At the step limit and after an escape, suspend, so that `drain` ends the run.
    if ready.goesOn(number), ready.steps < maxSteps, escape == nil { return }
    recording?.note("lets another task run first")
    await park { ready.append(.paused($0), of: number) }
  }

  private var isRunningHere: Bool { SwiftRuntime.current === self }

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
    guard owner.isCurrent else { return wasReached() }
    guard self.escape == nil else { return }
    self.escape = escape
    recording?.note("leaves the simulation")
  }

  /// Records a failure.
  ///
  /// The run fails, even if the body continues and returns.
  func found(_ message: String) {
    guard owner.isCurrent else { return wasReached() }
    findings.append(message)
    recording?.note(message)
  }

  /// Adds a line to the lane of the running task, if the run is recorded.
  func note(_ text: () -> String) {
    recording?.note(text())
  }

  private func number(of job: SwiftRuntime.Job) -> Int {
    let id: UInt64?
    switch job {
    case .task(let task): id = task
    case .endOfYield: id = SwiftRuntime.currentTaskID
    // An actor has no ID, and its address may be reused. Attribute its mailbox to the task that ran last.
    case .other: id = nil
    }
    guard let id else { return ready.running }
    if let known = knownTasks[id] { return known }
    defer { taskCount += 1 }
    knownTasks[id] = taskCount
    return taskCount
  }

  // MARK: Virtual time

  /// The virtual time of the run, or zero on another thread.
  var time: Duration { owner.isCurrent ? now : .zero }

  /// Suspends until nothing else can run and this deadline is the earliest.
  ///
  /// If the deadline has passed, lets another task run, if one can.
  func sleep(until deadline: Duration) async throws {
    guard isRunningHere else {
      wasReached()
      throw CancellationError()
    }
    try Task.checkCancellation()
    if deadline <= now { return await pause() }
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
      guard owner.isCurrent else { return wasReached() }
      guard let id = timer.id else { return }
      timers.remove(id)?.resume(returning: .failure(CancellationError()))
    }
  }

  /// The timer of one sleep, which only the owner's thread accesses.
  private final class TimerSlot: @unchecked Sendable {
    var id: TimerQueue<Sleeper>.ID?
  }

  /// Advances the time to the earliest deadline, and makes all tasks that are due then ready.
  ///
  /// The schedule decides which of them runs first. Returns `false` if no task sleeps.
  private func wakeSleepers() -> Bool {
    guard let earliest = timers.earliest else { return false }
    now = earliest
    recording?.time(isNow: now)
    for sleeper in timers.removeAll(until: now) { sleeper.resume(returning: .success(())) }
    return true
  }
}
