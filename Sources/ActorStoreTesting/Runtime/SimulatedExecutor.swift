import ActorStore
import Synchronization

/// Runs tasks one at a time on the thread that made it, in the order a `Chooser` decides (SE-0417).
///
/// What has this executor as its preference stays here: child tasks, actors, wake-ups, and the tasks the library starts.
/// Each runs until it suspends; that is one step.
final class SimulatedExecutor: TaskExecutor, @unchecked Sendable {
  // The invariant behind `@unchecked`: all but `foreign` is touched on the owner's thread only. Jobs that come from
  // another thread go to `foreign` and are not run.
  private let owner = CurrentThread()
  private let foreign = Foreign()

  private var ready: ReadyJobs
  private let needsTasks: Bool
  private let maxSteps: Int
  /// Tasks are counted in the order of their first appearance, which is the same in every run.
  private var knownTasks: [UInt64: Int] = [:]
  private var taskCount = 0

  private typealias Sleeper = Parked<Result<Void, any Error>>
  private var timers = TimerQueue<Sleeper>()
  private(set) var now = Duration.zero
  /// The first way in which work left.
  private(set) var escape: Simulation.Escape?
  private var end: Result<Void, any Error>?
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
      _ = Task(executorPreference: executor) {
        do {
          try await body()
          executor.end = .success(())
        } catch {
          executor.end = .failure(error)
        }
      }
    }
    let verdict = executor.drain(canProve)
    return SimulatedRun(
      verdict: verdict,
      error: executor.end?.error,
      choices: executor.ready.chooser.choices,
      fitsScript: !executor.ready.chooser.hasDiverged && executor.ready.chooser.unusedDecisions == 0,
      steps: executor.ready.steps,
      virtualTime: executor.now,
      executor: executor
    )
  }

  private func drain(_ canProve: Bool?) -> Simulation.Verdict {
    while true {
      if let escape { return .escaped(escape) }
      if wasReachedByAnotherThread { return .escaped(.otherThread) }
      if ready.isEmpty {
        if end != nil { return .finished }
        if wakeSleepers() { continue }
        return canProve ?? EscapeProbe.seesEscapes ? .deadlock : .stalled
      }
      if ready.steps >= maxSteps { return .stepLimit }
      runStep(ready.next())
    }
  }

  private func runStep(_ entry: ReadyJobs.Entry) {
    switch entry {
    case .paused(let task):
      // Makes the task ready, and nothing else.
      recording?.begin(step: ready.steps, of: nil)
      task.resume(returning: ())
      runLast()
    case .job(let job):
      let kind = SwiftRuntime.job(job)
      guard case .endOfYield = kind else { return run(job, kind) }
      // The runtime makes two jobs of a yield; to whoever reads a schedule it is one step of the task that yielded.
      run(job, kind)
      runLast()
    }
  }

  private func runLast() {
    if case .job(let job) = ready.takeLast() { run(job, SwiftRuntime.job(job)) }
  }

  private func run(_ job: UnownedJob, _ kind: SwiftRuntime.Job) {
    recording?.begin(step: ready.steps, of: kind)
    // Safe: this executor lives while it drains.
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard owner.isCurrent else {
      foreign.count.wrappingAdd(1, ordering: .sequentiallyConsistent)
      return
    }
    ready.append(.job(job), of: needsTasks ? number(of: SwiftRuntime.job(job)) : 0)
    recording?.enqueued(SwiftRuntime.job(job))
  }

  /// Lets another task run, if one can.
  func pause() async {
    let number = needsTasks ? number(of: .endOfYield) : 0
    // At the limit it suspends, so that the end is noticed.
    if ready.goesOn(number), ready.steps < maxSteps { return }
    recording?.note("lets another one go first")
    await park { ready.append(.paused($0), of: number) }
  }

  /// Whether a job came from another thread, up to now: it may come after the run has ended.
  var wasReachedByAnotherThread: Bool {
    foreign.count.load(ordering: .sequentiallyConsistent) > 0
  }

  /// The first one counts.
  func escaped(_ escape: Simulation.Escape) {
    guard self.escape == nil else { return }
    self.escape = escape
    recording?.note("leaves the simulation")
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
    // An actor has no number, and its address may be another's soon: each time it is somebody new.
    case .other: id = nil
    }
    if let id, let known = knownTasks[id] { return known }
    defer { taskCount += 1 }
    if let id { knownTasks[id] = taskCount }
    return taskCount
  }

  // MARK: Virtual time

  /// Suspends until nothing else can run and this deadline is the earliest.
  func sleep(until deadline: Duration) async throws {
    let timer = TimerSlot()
    try await withTaskCancellationHandler {
      try await park { (sleeper: Sleeper) in
        if Task.isCancelled {
          sleeper.resume(returning: .failure(CancellationError()))
        } else if deadline <= now {
          sleeper.resume(returning: .success(()))
        } else {
          timer.id = timers.add(sleeper, until: deadline)
        }
      }.get()
    } onCancel: {
      guard owner.isCurrent, let id = timer.id else { return }
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
