import SeededRandom

/// Chooses the next task among the ready tasks, and records its choices.
///
/// The tasks are numbers, in the order in which the tasks became ready. A decision is an index into them. If a body
/// depends only on its schedule, the same decisions produce the same run, even if another rule made them. So a schedule
/// can be replayed.
struct Chooser: Sendable {
  /// The rule that chooses one schedule.
  enum Rule: Sendable {
    case fifo
    case random(SplitMix64)
    case priorities(PriorityRule)
    /// Follows the decisions of an earlier run, and then decides 0 until the end.
    case replay([Int])
    /// Follows decisions, and then lets each task continue as long as it can, up to `longestStreak`.
    case search([Int])
    /// Like `search`, for the reduced search.
    ///
    /// If the last task cannot continue, the task that became ready last runs. So a task that waits for several others
    /// resumes right after each of them ends, as it would on another thread.
    case reduced([Int])

    /// Whether the rule must tell tasks apart.
    var needsTasks: Bool {
      switch self {
      case .fifo, .random, .replay: false
      case .priorities, .search, .reduced: true
      }
    }

    /// Whether the steps of the run must be kept.
    var needsSteps: Bool {
      if case .reduced = self { true } else { false }
    }
  }

  /// The moment of a decision.
  enum Moment: Sendable {
    /// The last task has suspended or ended, or is ready again like the others.
    case betweenSteps
    /// The first task is running, at a point.
    case atPoint
    /// The running task, which is not among the ready ones, waits in a loop for one of them.
    case whileWaiting
  }

  /// A decision between several ready tasks.
  struct Choice: Equatable, Sendable {
    let index: Int
    /// The number of ready tasks.
    let width: Int
    /// The index of the task that ran last, or `nil` if it is not ready or has to yield.
    ///
    /// Choosing another task preempts it.
    let continuing: Int?
  }

  private(set) var choices: [Choice] = []
  /// Whether a decision of the script was impossible, because the script belongs to another body or build.
  private(set) var hasDiverged = false
  /// Whether a task had to yield where the search would have let it continue.
  private(set) var hasForced = false
  private var rule: Rule
  private var lastTask: Int?
  /// The number of consecutive steps in which the last task was chosen while others were ready.
  private var streak = 0
  /// The streak after which a task has to yield.
  ///
  /// A task that continues for this long may be polling for another task's progress.
  private static let longestStreak = 200
  /// The number of points after which `fifo` lets another task run.
  ///
  /// It is small, so that a task that polls leaves most steps to the tasks that it waits for.
  private static let longestDefaultStreak = 20
  /// The number of consecutive points at which the running task has continued.
  private var pointStreak = 0

  init(_ rule: Rule) {
    self.rule = rule
    choices.reserveCapacity(128)
  }

  /// The number of unused nonzero decisions in the script.
  var unusedDecisions: Int {
    switch rule {
    case .replay(let script), .search(let script), .reduced(let script):
      script.dropFirst(choices.count).count { $0 != 0 }
    case .fifo, .random, .priorities: 0
    }
  }

  /// Returns the index of the task to run next.
  ///
  /// - Parameters:
  ///   - tasks: The ready tasks.
  ///   - step: The number of earlier steps.
  ///   - moment: The moment of the decision.
  /// - Returns: An index into `tasks`.
  mutating func choose(among tasks: borrowing [Int], step: Int, _ moment: Moment = .betweenSteps) -> Int {
    // The reduced search does not know that the waiting task is still ready.
    if moment == .whileWaiting, rule.needsSteps { hasForced = true }
    var choice = 0
    if tasks.count > 1 {
      var continuing = moment == .atPoint ? 0 : lastTask.flatMap { tasks.firstIndex(of: $0) }
      choice = decide(among: tasks, continuing: continuing, moment)
      // A task that has to yield is not preempted.
      if streak >= Self.longestStreak { continuing = nil }
      choices.append(Choice(index: choice, width: tasks.count, continuing: continuing))
    }
    pointStreak = moment == .atPoint && choice == 0 ? pointStreak + 1 : 0
    guard rule.needsTasks else { return choice }
    streak = tasks.count > 1 && tasks[choice] == lastTask ? streak + 1 : 0
    lastTask = tasks[choice]
    if case .priorities(var priorities) = rule {
      rule = .fifo
      priorities.ran(tasks[choice], step: step)
      rule = .priorities(priorities)
    }
    return choice
  }

  private mutating func decide(among tasks: borrowing [Int], continuing: Int?, _ moment: Moment) -> Int {
    switch rule {
    case .fifo:
      // A task that continues for this long may poll for another task's progress, as in `while !isDone.value {}`.
      return moment == .atPoint && pointStreak >= Self.longestDefaultStreak ? 1 : 0
    case .random(var generator):
      // A call has about three points, and most do not matter. So the task continues at two of three or more.
      let choice = moment == .atPoint && generator.below(3) > 0 ? 0 : generator.below(tasks.count)
      rule = .random(generator)
      return choice
    case .priorities(var priorities):
      // Take the rule out while it changes, so that its array is not copied.
      rule = .fifo
      if streak >= Self.longestStreak, let lastTask { priorities.standBack(lastTask) }
      let choice = priorities.highest(of: tasks)
      rule = .priorities(priorities)
      return choice
    case .replay(let script):
      // A schedule without its last zeros is the same schedule.
      return scripted(script, width: tasks.count) ?? 0
    case .search(let script):
      return scripted(script, width: tasks.count) ?? continued(continuing) ?? 0
    case .reduced(let script):
      return scripted(script, width: tasks.count) ?? continued(continuing)
        ?? (moment == .whileWaiting ? 0 : tasks.count - 1)
    }
  }

  /// The index of the task that continues, or of the one for which it has to yield.
  private mutating func continued(_ continuing: Int?) -> Int? {
    guard let continuing else { return nil }
    if streak < Self.longestStreak { return continuing }
    hasForced = true
    return continuing == 0 ? 1 : 0
  }

  private mutating func scripted(_ script: [Int], width: Int) -> Int? {
    guard choices.count < script.count else { return nil }
    let decision = script[choices.count]
    if decision < width { return decision }
    hasDiverged = true
    return width - 1
  }
}
