/// What can run, and which is next.
struct ReadyJobs<Entry> {
  private(set) var chooser: Chooser
  /// The task of the one that was taken last.
  private(set) var running = 0
  /// How many were taken.
  private(set) var steps = 0
  private var entries: [Entry] = []
  /// The task of each, as a number.
  private var tasks: [Int] = []
  /// Which is next, if that has been decided already.
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

  /// Takes what the chooser chooses; there must be one.
  mutating func next() -> Entry {
    let index = decided ?? choose()
    decided = nil
    running = tasks.remove(at: index)
    return entries.remove(at: index)
  }

  /// Whether a task that runs, and could let another one in, is to go on.
  ///
  /// If not, it is to be appended, and who is next has been decided. It costs far less to decide now than to suspend
  /// the task and then to choose it.
  mutating func goesOn(_ task: Int) -> Bool {
    // An actor that works off its mailbox may run another task after this one; who is next is decided already.
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

  /// Takes back what was appended last.
  mutating func takeLast() -> Entry? {
    _ = tasks.popLast()
    return entries.popLast()
  }
}
