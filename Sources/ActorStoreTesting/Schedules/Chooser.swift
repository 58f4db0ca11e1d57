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
    /// Follows the decisions of an earlier run, and then runs tasks in the order in which they become ready.
    case replay([Int])
    /// Follows decisions, and then lets each task continue as long as it can, up to `longestStreak`.
    case search([Int])

    /// Whether the rule must tell tasks apart.
    var needsTasks: Bool {
      switch self {
      case .fifo, .random, .replay: false
      case .priorities, .search: true
      }
    }
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

  init(_ rule: Rule) {
    self.rule = rule
    choices.reserveCapacity(128)
  }

  /// The number of unused nonzero decisions in the script.
  var unusedDecisions: Int {
    switch rule {
    case .replay(let script), .search(let script): script.dropFirst(choices.count).count { $0 != 0 }
    case .fifo, .random, .priorities: 0
    }
  }

  /// Returns the index of the task to run next.
  ///
  /// - Parameters:
  ///   - tasks: The ready tasks.
  ///   - step: The number of earlier steps.
  /// - Returns: An index into `tasks`.
  mutating func choose(among tasks: borrowing [Int], step: Int) -> Int {
    var choice = 0
    if tasks.count > 1 {
      var continuing = lastTask.flatMap { tasks.firstIndex(of: $0) }
      choice = decide(among: tasks, continuing: continuing)
      // A task that has to yield is not preempted.
      if streak >= Self.longestStreak { continuing = nil }
      choices.append(Choice(index: choice, width: tasks.count, continuing: continuing))
    }
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

  private mutating func decide(among tasks: borrowing [Int], continuing: Int?) -> Int {
    switch rule {
    case .fifo:
      return 0
    case .random(var generator):
      let choice = generator.below(tasks.count)
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
      return scripted(script, width: tasks.count) ?? 0
    case .search(let script):
      if let decision = scripted(script, width: tasks.count) { return decision }
      guard let continuing else { return 0 }
      if streak < Self.longestStreak { return continuing }
      hasForced = true
      return continuing == 0 ? 1 : 0
    }
  }

  private mutating func scripted(_ script: [Int], width: Int) -> Int? {
    guard choices.count < script.count else { return nil }
    let decision = script[choices.count]
    if decision < width { return decision }
    hasDiverged = true
    return width - 1
  }
}
