import SeededRandom

/// Decides which of the tasks that can run runs next, and keeps what it decided.
///
/// The tasks are given as numbers in the order in which they became ready; the decision is an index into them. The same
/// decisions make the same run, whichever rule they came from: that is what makes a schedule replayable.
struct Chooser: Sendable {
  /// How one schedule is chosen.
  enum Rule: Sendable {
    case fifo
    case random(SplitMix64)
    case priorities(PriorityRule)
    /// The decisions of an earlier run; past their end, first come, first served.
    case replay([Int])
    /// The same; past their end a task goes on as long as it can.
    case search([Int])

    /// Whether the tasks have to be told apart.
    var needsTasks: Bool {
      switch self {
      case .fifo, .random, .replay: false
      case .priorities, .search: true
      }
    }
  }

  /// What was decided where there was a choice.
  struct Choice: Equatable, Sendable {
    let index: Int
    /// How many could run.
    let width: Int
    /// The index of the task that ran last, if it can run on: choosing another one preempts it.
    let continuing: Int?
  }

  private(set) var choices: [Choice] = []
  /// A decision of the script was not possible here: it is of another body, toolchain or configuration.
  private(set) var hasDiverged = false
  /// A task had gone on for so long that another one was given a step, where the search would have let it go on.
  private(set) var hasForced = false
  private var rule: Rule
  private var lastTask: Int?
  /// How many steps in a row the last task was chosen while others could run.
  private var streak = 0
  /// A task that goes on for this long may wait for the others by asking again and again: they get a step.
  private static let longestStreak = 200

  init(_ rule: Rule) {
    self.rule = rule
    choices.reserveCapacity(128)
  }

  /// The number of decisions of the script that were not asked for, but for those that say first come, first served.
  var unusedDecisions: Int {
    switch rule {
    case .replay(let script), .search(let script): script.dropFirst(choices.count).count { $0 != 0 }
    case .fifo, .random, .priorities: 0
    }
  }

  /// Which of these tasks runs next, as an index; `step` is how many steps were taken before.
  mutating func choose(among tasks: borrowing [Int], step: Int) -> Int {
    var choice = 0
    if tasks.count > 1 {
      var continuing = lastTask.flatMap { tasks.firstIndex(of: $0) }
      choice = decide(among: tasks, continuing: continuing)
      // Who has to stand back is not preempted.
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
      // Taken out while it changes, so that its array is not copied.
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
