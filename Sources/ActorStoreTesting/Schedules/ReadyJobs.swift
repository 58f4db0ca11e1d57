/// The ready jobs, and the choice of the next one.
struct ReadyJobs<Entry> {
  private(set) var chooser: Chooser
  /// The task of the entry that was taken last.
  private(set) var running = 0
  /// The number of steps so far.
  private(set) var steps = 0
  private var entries: [Entry] = []
  /// The task number of each entry.
  private var tasks: [Int] = []
  /// The index of the next entry, if it is already decided.
  private var decided: Int?
  /// The steps so far, if the rule needs them.
  private(set) var trace: [Step] = []
  private let needsTrace: Bool
  /// Whether the next step is the first one after an advance of the time.
  var isAfterBarrier = false
  /// Whether the running task continues at its next point without a decision, because the call there is already
  /// recorded.
  var skipsNextPoint = false
  /// Whether no step follows the running one.
  var isClosed = false
  private let maxSteps: Int

  init(_ rule: Chooser.Rule, maxSteps: Int = .max) {
    self.maxSteps = maxSteps
    chooser = Chooser(rule)
    needsTrace = rule.needsSteps
    entries.reserveCapacity(32)
    tasks.reserveCapacity(32)
  }

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  /// Whether the run has ended, or ends as soon as the running job does.
  var isOver: Bool { isClosed || steps >= maxSteps }

  mutating func append(_ entry: Entry, of task: Int) {
    entries.append(entry)
    tasks.append(task)
  }

  /// Removes and returns the entry that the chooser chooses, or returns `nil` if there is none or the run is over.
  mutating func nextIfOpen() -> Entry? { isOver || entries.isEmpty ? nil : next() }

  /// Removes and returns the entry that the chooser chooses.
  ///
  /// There must be an entry.
  mutating func next() -> Entry {
    skipsNextPoint = false
    let index = decided ?? choose()
    decided = nil
    running = tasks.remove(at: index)
    return entries.remove(at: index)
  }

  /// Whether the current point does not count.
  mutating func skipsPoint() -> Bool {
    if !skipsNextPoint { return false }
    skipsNextPoint = false
    return true
  }

  /// Decides whether a running task continues at the beginning or at the end of an `await`.
  ///
  /// At the step limit and after an escape, the task suspends, so that the run can end.
  mutating func staysAtPause(_ task: Int) -> Bool {
    if skipsPoint() { return true }
    return staysAtPoint(task) && !isOver
  }

  /// Decides whether a running task continues, at a point at which another thread could act.
  ///
  /// The running task comes first among the tasks to choose from. So decision 0 means that it continues, and a schedule
  /// switches at the point only if it has another decision there.
  ///
  /// If it returns `false`, the caller must append the task, and the next entry is already decided. Deciding now costs
  /// far less than suspending the task and then choosing it.
  mutating func staysAtPoint(_ task: Int) -> Bool {
    // An actor that processes its mailbox may run another task after this one. The next entry is then already decided.
    if decided != nil { return false }
    tasks.insert(task, at: 0)
    let index = choose(.atPoint)
    tasks.removeFirst()
    if index == 0 { return true }
    decided = index - 1
    return false
  }

  /// Decides which entry is next while the running task waits in a loop for another one.
  mutating func decide() {
    if decided == nil { decided = choose(.whileWaiting) }
  }

  /// The next entry, if it is already decided.
  var decidedEntry: Entry? { decided.map { entries[$0] } }

  private mutating func choose(_ moment: Chooser.Moment = .betweenSteps) -> Int {
    defer { steps += 1 }
    let index = chooser.choose(among: tasks, step: steps, moment)
    if needsTrace {
      trace.append(Step(ready: tasks, choice: index, isBarrier: isAfterBarrier))
      isAfterBarrier = false
    }
    return index
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
    guard let index = entries.firstIndex(where: isWanted) else { return nil }
    decided = nil
    tasks.remove(at: index)
    return entries.remove(at: index)
  }

  /// Removes and returns the entry that was appended last.
  mutating func takeLast() -> Entry? {
    _ = tasks.popLast()
    return entries.popLast()
  }
}
