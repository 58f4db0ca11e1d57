import ActorStore

/// The ready jobs, and the choice of the next one.
struct ReadyJobs<Entry> {
  /// The jobs among which a point lets the schedule choose, besides the running task.
  enum Scope: Equatable {
    case all
    /// The job that was appended last.
    case newest
    /// The jobs whose next step may read or change a store or an atom.
    case accessing(ObjectIdentifier)
  }

  /// What runs next.
  enum Next {
    case entry(Entry)
    /// The sleeper with this index wakes early.
    case sleeper(Int)
  }

  private struct Job {
    let entry: Entry
    let task: Int
    let next: NextStep

    /// Whether the next step may access a store or an atom.
    func mayAccess(_ store: ObjectIdentifier) -> Bool {
      switch next {
      case .unknown: true
      case .ownCode: false
      case .store(let other): other == store
      }
    }
  }

  /// A decision, which holds until the next job is taken.
  private enum Decision {
    case job(Int)
    case sleeper(Int)
  }

  private(set) var chooser: Chooser
  /// The task of the entry that was taken last.
  private(set) var running = 0
  /// The number of steps so far.
  private(set) var steps = 0
  private var jobs: [Job] = []
  /// The tasks that sleep until the earliest deadline, if they may wake early.
  var sleepers: [Int] = [] {
    didSet { if case .sleeper? = decided { decided = nil } }
  }
  private var decided: Decision?
  /// The candidates of a decision, which are reused to save allocations.
  private var candidates = Chooser.Candidates()
  /// The index of each candidate's job, if not all jobs are candidates.
  private var indices: [Int] = []
  /// The tasks that must not continue before others, after each has yielded twice, or `nil` unless yields are fair.
  private var yields: FairYields?
  /// The steps so far, if the rule needs them.
  private(set) var trace: [Step] = []
  /// The task that continues at the next decision, because another one ran ahead of it for only one step.
  private var overtaken: Int?
  private let needsTasks: Bool
  private let canBeBrief: Bool
  private let needsTrace: Bool
  /// Whether the next step is the first one after an advance of the time.
  var isAfterBarrier = false
  /// Whether the running task continues at its next point without a decision, because the call there is already
  /// recorded.
  var skipsNextPoint = false
  /// Whether no step follows the running one.
  var isClosed = false
  private let maxSteps: Int

  init(_ rule: Chooser.Rule, maxSteps: Int = .max, hasFairYields: Bool = false) {
    self.maxSteps = maxSteps
    chooser = Chooser(rule)
    needsTasks = rule.needsTasks || hasFairYields
    canBeBrief = rule.needsTasks
    needsTrace = rule.needsSteps
    if hasFairYields { yields = FairYields() }
    jobs.reserveCapacity(32)
  }

  var count: Int { jobs.count }
  var isEmpty: Bool { jobs.isEmpty }
  /// Whether the run has ended, or ends as soon as the running job does.
  var isOver: Bool { isClosed || steps >= maxSteps }

  mutating func append(_ entry: Entry, of task: Int, before next: NextStep = .unknown) {
    jobs.append(Job(entry: entry, task: task, next: next))
  }

  /// Records that a task lets others run.
  mutating func yields(_ task: Int) {
    yields?.yield(task, ready: jobs.map(\.task))
  }

  /// Removes and returns what the chooser chooses, or returns `nil` if no job is ready or the run is over.
  mutating func nextIfOpen() -> Next? { isOver || jobs.isEmpty ? nil : next() }

  /// Removes and returns what the chooser chooses.
  ///
  /// There must be a job.
  mutating func next() -> Next {
    skipsNextPoint = false
    let decision = decided ?? choose(.betweenSteps)
    decided = nil
    switch decision {
    case .job(let index)?:
      let job = jobs.remove(at: index)
      running = job.task
      return .entry(job.entry)
    case .sleeper(let index)?:
      running = sleepers[index]
      return .sleeper(index)
    case nil: preconditionFailure("ActorStoreTesting: no job is ready. This is a bug in ActorStoreTesting.")
    }
  }

  /// Whether the current point does not count.
  mutating func skipsPoint() -> Bool {
    if !skipsNextPoint { return false }
    skipsNextPoint = false
    return true
  }

  /// Decides whether a running task continues, at a point at which another thread could act.
  ///
  /// The running task comes first among the tasks to choose from. So decision 0 means that it continues, and a schedule
  /// switches at the point only if it has another decision there.
  ///
  /// If it returns `false`, the caller must append the task, and the next entry is already decided. Deciding now costs
  /// far less than suspending the task and then choosing it.
  ///
  /// - Parameters:
  ///   - task: The running task.
  ///   - scope: The jobs that can run instead.
  ///   - isOpen: Whether any of them may run. Otherwise, the decision counts anyway, so that the schedule fits a run in
  ///     which the point is open.
  ///   - isBrief: Whether, if the rule tells tasks apart, the running task continues after one step of another.
  mutating func staysAtPoint(
    _ task: Int, _ scope: Scope = .all, isOpen: Bool = true, isBrief: Bool = false
  ) -> Bool {
    // An actor that processes its mailbox may run another task after this one. The next entry is then already decided.
    if decided != nil { return false }
    decided = choose(.atPoint, scope, running: task, isOpen: isOpen)
    if decided != nil, isBrief, canBeBrief { overtaken = task }
    return decided == nil
  }

  /// Decides whether a running task continues at the beginning or at the end of an `await`.
  ///
  /// At the step limit and after an escape, the task suspends, so that the run can end.
  mutating func staysAtPause(_ task: Int, isOpen: Bool = true) -> Bool {
    if skipsPoint() { return true }
    return staysAtPoint(task, isOpen: isOpen) && !isOver
  }

  /// Decides which entry is next while the running task waits in a loop for another one.
  mutating func decide() {
    if decided == nil { decided = choose(.whileWaiting) }
  }

  /// The next entry, if it is already decided.
  var decidedEntry: Entry? {
    if case .job(let index)? = decided { jobs[index].entry } else { nil }
  }

  /// Returns the decision, or `nil` if the running task continues.
  private mutating func choose(
    _ moment: Chooser.Moment, _ scope: Scope = .all, running: Int? = nil, isOpen: Bool = true
  ) -> Decision? {
    let isFiltered = countCandidates(scope, running)
    let own = running == nil ? 0 : 1
    // A point in a commit at which no other task matters is none.
    if candidates.count == own, scope != .all { return nil }
    defer { steps += 1 }
    candidates.forced = isOpen ? nil : 0
    // Most points of a random schedule end here, so they cost little.
    if moment == .atPoint, isOpen, chooser.continuesAtPoint(width: candidates.count, isLimited: scope != .all) {
      return nil
    }
    collectCandidates(isFiltered, running)
    if isOpen, let overtaken {
      let index = candidates.tasks.firstIndex(of: overtaken)
      if index != nil { self.overtaken = nil }
      candidates.forced = index ?? 0
    }
    let index = chooser.choose(among: candidates, step: steps, moment)
    if needsTrace {
      if !isOpen, let last = trace.indices.last {
        // The step goes on.
        if candidates.count > 1 { trace[last].forcedDecisions += 1 }
      } else {
        trace.append(Step(ready: candidates.tasks, choice: index, isBarrier: isAfterBarrier))
        isAfterBarrier = false
      }
    }
    if yields != nil { yields?.ran(candidates.tasks[index], ready: jobs.map(\.task)) }
    if index < own { return nil }
    let early = index - (candidates.count - candidates.sleepers)
    if early >= 0 { return .sleeper(early) }
    return .job(isFiltered ? indices[index - own] : index - own)
  }

  /// Counts the candidates of a decision, and returns whether they are only a part of the jobs.
  private mutating func countCandidates(_ scope: Scope, _ running: Int?) -> Bool {
    // The reduced search itself finds out which tasks matter at a point.
    let isFiltered = scope != .all && !needsTrace || yields?.isResting == true
    if isFiltered { findIndices(scope) }
    candidates.sleepers = scope == .all || needsTrace ? sleepers.count : 0
    candidates.count = (running == nil ? 0 : 1) + (isFiltered ? indices.count : jobs.count) + candidates.sleepers
    return isFiltered
  }

  /// Collects the tasks of the candidates, if the rule tells tasks apart.
  private mutating func collectCandidates(_ isFiltered: Bool, _ running: Int?) {
    guard needsTasks else { return }
    candidates.tasks.removeAll(keepingCapacity: true)
    if let running { candidates.tasks.append(running) }
    if isFiltered {
      for index in indices { candidates.tasks.append(jobs[index].task) }
    } else {
      for job in jobs { candidates.tasks.append(job.task) }
    }
    if candidates.sleepers > 0 { candidates.tasks += sleepers }
  }

  private mutating func findIndices(_ scope: Scope) {
    indices.removeAll(keepingCapacity: true)
    switch scope {
    case .newest: if !jobs.isEmpty { indices.append(jobs.count - 1) }
    case .accessing(let store): for index in jobs.indices where jobs[index].mayAccess(store) { indices.append(index) }
    case .all: indices.append(contentsOf: jobs.indices)
    }
    guard let yields, yields.isResting else { return }
    let rested = indices.filter { !yields.rests(jobs[$0].task) }
    if !rested.isEmpty { indices = rested }
  }

  /// Adds an access to the current step.
  mutating func add(_ access: Step.Access) {
    guard let last = trace.indices.last, !trace[last].accesses.contains(access) else { return }
    trace[last].accesses.append(access)
  }

  /// Notes that the accesses of the current step are unknown.
  mutating func makeOpaque() {
    guard let last = trace.indices.last else { return }
    trace[last].isOpaque = true
  }

  /// Removes and returns the first entry that satisfies a condition.
  mutating func takeFirst(where isWanted: (Entry) -> Bool) -> Entry? {
    guard let index = jobs.firstIndex(where: { isWanted($0.entry) }) else { return nil }
    decided = nil
    return jobs.remove(at: index).entry
  }

  /// Removes and returns the entry that was appended last.
  mutating func takeLast() -> Entry? { jobs.popLast()?.entry }
}
