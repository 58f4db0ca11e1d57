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

  init(_ rule: Chooser.Rule) {
    chooser = Chooser(rule)
    entries.reserveCapacity(32)
    tasks.reserveCapacity(32)
  }

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ entry: Entry, of task: Int) {
    entries.append(entry)
    tasks.append(task)
  }

  /// Removes and returns the entry that the chooser chooses.
  ///
  /// There must be an entry.
  mutating func next() -> Entry {
    let index = decided ?? choose()
    decided = nil
    running = tasks.remove(at: index)
    return entries.remove(at: index)
  }

  /// Decides whether a running task continues, at a point where another task could run.
  ///
  /// If it returns `false`, the caller must append the task, and the next entry is already decided. Deciding now costs
  /// far less than suspending the task and then choosing it.
  mutating func goesOn(_ task: Int) -> Bool {
    // An actor that processes its mailbox may run another task after this one. The next entry is then already decided.
    if decided != nil { return false }
    tasks.append(task)
    let index = choose()
    tasks.removeLast()
    if index == tasks.count { return true }
    decided = index
    return false
  }

  private mutating func choose() -> Int {
    defer { steps += 1 }
    return chooser.choose(among: tasks, step: steps)
  }

  /// Removes and returns the entry that was appended last.
  mutating func takeLast() -> Entry? {
    _ = tasks.popLast()
    return entries.popLast()
  }
}
