import SeededRandom

/// Chooses the next task among the candidates, and records its choices.
///
/// The tasks are numbers, in the order in which the tasks became ready. A decision is an index into them. If a body
/// depends only on its schedule, the same decisions produce the same run, even if another rule made them. So a schedule
/// can be replayed.
struct Chooser: Sendable {
  /// The rule that chooses one schedule.
  enum Rule: Sendable {
    case fifo
    case random(RandomRule)
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
      case .fifo, .replay: false
      case .random(let rule): rule.needsTasks
      case .priorities, .search, .reduced: true
      }
    }

    /// Whether the steps of the run must be kept.
    var needsSteps: Bool {
      if case .reduced = self { true } else { false }
    }
  }

  /// The tasks among which to choose.
  struct Candidates {
    /// The tasks in this order: the running one, the ready ones, and those that can wake early.
    ///
    /// It is empty if the rule does not tell tasks apart.
    var tasks: [Int] = []
    var count = 0
    /// The number of tasks that sleep, and wake early if they are chosen.
    var sleepers = 0
    /// The index of the only task that a search lets run, although the decision counts.
    var forced: Int?
  }

  /// The moment of a decision.
  enum Moment: Sendable {
    /// The last task has suspended or ended, or is ready again like the others.
    case betweenSteps
    /// The first task is running, at a point.
    case atPoint
    /// The running task, which is not a candidate, waits in a loop for one of them.
    case whileWaiting
  }

  /// A decision between several candidates.
  struct Choice: Equatable, Sendable {
    let index: Int
    /// The number of candidates.
    let width: Int
    /// The index of the task that ran last, or `nil` if it is not a candidate or has to yield.
    ///
    /// Choosing another task preempts it. It is always `nil` for rules that do not ask which task ran last.
    let continuing: Int?
    /// Whether a search must not try another task.
    var isForced = false
  }

  private(set) var choices: [Choice] = []
  /// Whether a decision of the script was impossible, because the script belongs to another body or build.
  private(set) var hasDiverged = false
  /// Whether a task had to yield where the search would have let it continue.
  private(set) var hasForced = false
  private var rule: Rule
  /// The decisions to follow.
  private let script: [Int]
  /// Whether the rule depends on the task that ran last.
  private let needsLastTask: Bool
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
    script =
      switch rule {
      case .replay(let script), .search(let script), .reduced(let script): script
      case .fifo, .random, .priorities: []
      }
    if case .random = rule { needsLastTask = false } else { needsLastTask = rule.needsTasks }
    choices.reserveCapacity(128)
  }

  /// The number of unused nonzero decisions in the script.
  var unusedDecisions: Int { script.dropFirst(choices.count).count { $0 != 0 } }

  /// Returns `true` if the rule lets the running task continue at a point, regardless of the other tasks.
  ///
  /// If so, it records this decision. Otherwise, `choose` makes the decision.
  mutating func continuesAtPoint(width: Int, isLimited: Bool) -> Bool {
    guard case .random(var random) = rule, width > 1 else { return false }
    // Take the rule out while it changes, so that its array is not copied.
    rule = .fifo
    let continues = random.continuesAtPoint(isLimited: isLimited)
    rule = .random(random)
    if continues { choices.append(Choice(index: 0, width: width, continuing: nil)) }
    return continues
  }

  /// Returns the index of the task to run next.
  ///
  /// - Parameters:
  ///   - candidates: The tasks from which to choose.
  ///   - step: The number of earlier steps.
  ///   - moment: The moment of the decision.
  /// - Returns: An index into the candidates.
  mutating func choose(among candidates: borrowing Candidates, step: Int, _ moment: Moment = .betweenSteps) -> Int {
    // The reduced search does not know that the waiting task is still ready.
    if moment == .whileWaiting, rule.needsSteps { hasForced = true }
    var choice = 0
    if let forced = candidates.forced, candidates.count > 1 {
      if choices.count < script.count, script[choices.count] != forced { hasDiverged = true }
      choice = forced
      choices.append(Choice(index: choice, width: candidates.count, continuing: nil, isForced: true))
    } else if candidates.count > 1 {
      var continuing: Int?
      if needsLastTask {
        continuing = moment == .atPoint ? 0 : lastTask.flatMap { candidates.tasks.firstIndex(of: $0) }
      }
      choice = decide(among: candidates, continuing: continuing, moment)
      // A task that has to yield is not preempted.
      if streak >= Self.longestStreak { continuing = nil }
      choices.append(Choice(index: choice, width: candidates.count, continuing: continuing))
    }
    pointStreak = moment == .atPoint && choice == 0 ? pointStreak + 1 : 0
    guard needsLastTask else { return choice }
    streak = candidates.count > 1 && candidates.tasks[choice] == lastTask ? streak + 1 : 0
    lastTask = candidates.tasks[choice]
    if case .priorities(var priorities) = rule {
      rule = .fifo
      priorities.ran(candidates.tasks[choice], step: step)
      rule = .priorities(priorities)
    }
    return choice
  }

  private mutating func decide(among candidates: borrowing Candidates, continuing: Int?, _ moment: Moment) -> Int {
    let awake = candidates.count - candidates.sleepers
    switch rule {
    case .fifo:
      // A task that continues for this long may poll for another task's progress, as in `while !isDone.value {}`.
      return moment == .atPoint && pointStreak >= Self.longestDefaultStreak && awake > 1 ? 1 : 0
    case .random(var random):
      rule = .fifo
      let choice = random.choose(among: candidates)
      rule = .random(random)
      return choice
    case .priorities(var priorities):
      rule = .fifo
      if streak >= Self.longestStreak, let lastTask { priorities.standBack(lastTask) }
      let choice = priorities.highest(of: candidates.tasks)
      rule = .priorities(priorities)
      return choice
    case .replay:
      // A schedule without its last zeros is the same schedule.
      return scripted(width: candidates.count) ?? 0
    case .search:
      return scripted(width: candidates.count) ?? continued(continuing, awake) ?? 0
    case .reduced:
      return scripted(width: candidates.count) ?? continued(continuing, awake)
        ?? (moment == .whileWaiting ? 0 : awake - 1)
    }
  }

  /// The index of the task that continues, or of the one for which it has to yield.
  ///
  /// - Parameters:
  ///   - continuing: The index of the task that ran last, if it is ready.
  ///   - awake: The number of ready tasks.
  private mutating func continued(_ continuing: Int?, _ awake: Int) -> Int? {
    guard let continuing else { return nil }
    if streak < Self.longestStreak || awake < 2 { return continuing }
    hasForced = true
    return continuing == 0 ? 1 : 0
  }

  private mutating func scripted(width: Int) -> Int? {
    guard choices.count < script.count else { return nil }
    let decision = script[choices.count]
    if decision < width { return decision }
    hasDiverged = true
    return width - 1
  }
}
