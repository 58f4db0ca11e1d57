import ActorStore
import Synchronization

/// Runs tasks one at a time on the thread that made it, in the order a `Chooser` decides (SE-0417).
///
/// What has this executor as its preference stays here: child tasks, actors, wake-ups, and the tasks the library
/// starts. Each runs until it suspends; that is one step.
final class SimulatedExecutor: TaskExecutor, @unchecked Sendable {
  // The invariant behind `@unchecked`: all but `foreign` is touched on the owner's thread only. Jobs that come from
  // another thread go to `foreign` and are not run.
  private let owner = CurrentThread()
  private let foreign = Foreign()

  /// A job, or a task that paused and is to be made ready first.
  private enum Entry {
    case job(UnownedJob)
    case paused(Parked<Void>)
  }

  private var ready: ReadyJobs<Entry>
  private let needsTasks: Bool
  private let maxSteps: Int
  /// Tasks are counted in the order of their first appearance, which is the same in every run.
  private var knownTasks: [UInt64: Int] = [:]
  private var taskCount = 0

  private typealias Sleeper = Parked<Result<Void, any Error>>
  private var timers = TimerQueue<Sleeper>()
  private var now = Duration.zero
  /// The first way in which work left.
  private(set) var escape: Simulation.Escape?
  private var end: Result<Void, any Error>?
  /// What was found wrong, whether it is thrown or not.
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

  /// Runs `body` to its end, or to where it cannot go on, on the calling thread.
  ///
  /// `canProve` is whether a run that cannot go on is called a deadlock; by default, if this runtime shows escapes.
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
    let hooks = SimulationHooks(pause: { await executor.pause() }, observer: recording?.observer)
    SimulationHooks.$current.withValue(hooks) {
      // A priority of its own, so that a run does not depend on its caller's.
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

  /// What the body threw, or else what was found wrong without its throwing it.
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
        // What still sleeps when the body has ended is left asleep, but what waits for ever is not passed over.
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
      // Makes the task ready, and nothing else.
      recording?.begin(step: ready.steps, of: nil)
      runAddition { task.resume(returning: ()) }
    case .job(let job):
      let kind = SwiftRuntime.job(job)
      guard case .endOfYield = kind else { return run(job, kind) }
      // The runtime makes two jobs of a yield; to whoever reads a schedule it is one step of the task that yielded.
      runAddition { run(job, kind) }
    }
  }

  /// Runs the job that `body` makes ready.
  ///
  /// That there is one is how the runtime does it today, not a promise of its.
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
  /// A store may be used by a task that has left, or by another simulation: their steps are not this one's to choose.
  func pause() async {
    guard isRunningHere else { return }
    let number = needsTasks ? number(of: .endOfYield) : 0
    // At the limit, and after an escape, it suspends, so that the end is noticed.
    if ready.goesOn(number), ready.steps < maxSteps, escape == nil { return }
    recording?.note("lets another one go first")
    await park { ready.append(.paused($0), of: number) }
  }

  private var isRunningHere: Bool { SwiftRuntime.current === self }

  /// Whether a job came from another thread, up to now: it may come after the run has ended.
  var wasReachedByAnotherThread: Bool {
    foreign.count.load(ordering: .sequentiallyConsistent) > 0
  }

  private func wasReached() {
    foreign.count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// The first one counts.
  func escaped(_ escape: Simulation.Escape) {
    guard owner.isCurrent else { return wasReached() }
    guard self.escape == nil else { return }
    self.escape = escape
    recording?.note("leaves the simulation")
  }

  /// The run has failed, also if the body goes on and ends well.
  func found(_ message: String) {
    guard owner.isCurrent else { return wasReached() }
    findings.append(message)
    recording?.note(message)
  }

  /// Adds to the lane of the task that is running, if somebody records.
  func note(_ text: () -> String) {
    recording?.note(text())
  }

  private func number(of job: SwiftRuntime.Job) -> Int {
    let id: UInt64?
    switch job {
    case .task(let task): id = task
    case .endOfYield: id = SwiftRuntime.currentTaskID
    // An actor has no number, and its address may be another's soon: its mailbox goes on for whoever called it.
    case .other: id = nil
    }
    guard let id else { return ready.running }
    if let known = knownTasks[id] { return known }
    defer { taskCount += 1 }
    knownTasks[id] = taskCount
    return taskCount
  }

  // MARK: Virtual time

  /// How long the run has taken; zero to whoever has left it.
  var time: Duration { owner.isCurrent ? now : .zero }

  /// Suspends until nothing else can run and this deadline is the earliest; a deadline that has passed lets others in.
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

  /// Of one sleep, on the owner's thread only.
  private final class TimerSlot: @unchecked Sendable {
    var id: TimerQueue<Sleeper>.ID?
  }

  /// All that are due then can run, so that the schedule decides who is first.
  private func wakeSleepers() -> Bool {
    guard let earliest = timers.earliest else { return false }
    now = earliest
    recording?.time(isNow: now)
    for sleeper in timers.removeAll(until: now) { sleeper.resume(returning: .success(())) }
    return true
  }
}

extension Result where Success == Void {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
