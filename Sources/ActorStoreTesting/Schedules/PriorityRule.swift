import SeededRandom

/// Runs the task with the highest random priority, and lowers the running task's priority at a few random steps.
///
/// This is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler
/// with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). If a bug needs `depth` ordering constraints among `n`
/// tasks in `length` steps, a schedule finds it with a probability of at least 1 / (n * length^(depth - 1)). Here,
/// `length` is an estimate.
struct PriorityRule: Sendable {
  private var generator: SplitMix64
  /// The steps at which the running task's priority is lowered.
  ///
  /// A later step sets a lower priority than an earlier one.
  private let changes: [Int]
  private var priorities: [Int?] = []
  private var lowest: Int
  /// The step from which the running task periodically loses its priority, and new tasks get the lowest one.
  ///
  /// With fixed priorities, two tasks that alternate while they poll for a third one would starve it forever. So would
  /// tasks that each start another one.
  private let fairFrom: Int
  private var isFair = false

  init(seed: UInt64, depth: Int, length: Int) {
    var generator = SplitMix64(seed)
    changes = (0..<min(max(0, depth - 1), length)).map { _ in generator.below(length) }.sorted()
    lowest = -changes.count
    fairFrom = 4 * length + 1_000
    self.generator = generator
  }

  mutating func highest(of tasks: borrowing [Int]) -> Int {
    var best = 0
    var highest = priority(of: tasks[0])
    for index in 1..<tasks.count {
      let priority = priority(of: tasks[index])
      if priority > highest { (best, highest) = (index, priority) }
    }
    return best
  }

  mutating func ran(_ task: Int, step: Int) {
    isFair = step >= fairFrom
    if isFair, step.isMultiple(of: 50) { standBack(task) }
    guard let change = changes.firstIndex(of: step) else { return }
    _ = priority(of: task)
    priorities[task] = -1 - change
  }

  /// Gives a task the lowest priority.
  mutating func standBack(_ task: Int) {
    _ = priority(of: task)
    lowest -= 1
    priorities[task] = lowest
  }

  /// Returns the priority of a task.
  ///
  /// A new task gets a random priority, which is higher than all lowered priorities, until the rule is fair.
  private mutating func priority(of task: Int) -> Int {
    while priorities.count <= task { priorities.append(nil) }
    if let known = priorities[task] { return known }
    if isFair { lowest -= 1 }
    let new = isFair ? lowest : generator.below(1 << 40)
    priorities[task] = new
    return new
  }
}
