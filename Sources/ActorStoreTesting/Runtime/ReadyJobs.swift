/// The jobs that can run, and which is next.
struct ReadyJobs {
  private(set) var chooser: Chooser
  /// How many were taken.
  private(set) var steps = 0
  private var jobs: [UnownedJob] = []
  /// The task of each, as a number.
  private var tasks: [Int] = []

  init(_ rule: Chooser.Rule) {
    chooser = Chooser(rule)
    jobs.reserveCapacity(32)
    tasks.reserveCapacity(32)
  }

  var isEmpty: Bool { jobs.isEmpty }

  mutating func append(_ job: UnownedJob, of task: Int) {
    jobs.append(job)
    tasks.append(task)
  }

  /// Takes the job that the chooser chooses; there must be one.
  mutating func next() -> UnownedJob {
    let index = chooser.choose(among: tasks, step: steps)
    steps += 1
    tasks.remove(at: index)
    return jobs.remove(at: index)
  }

  /// Takes back the job that was appended last.
  mutating func takeLast() -> UnownedJob? {
    _ = tasks.popLast()
    return jobs.popLast()
  }
}
