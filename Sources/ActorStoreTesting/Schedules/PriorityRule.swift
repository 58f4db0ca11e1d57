import SeededRandom

/// The task of the highest priority runs; priorities are random, and at a few random steps the running one loses its
/// own.
///
/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with
/// Probabilistic Guarantees of Finding Bugs", ASPLOS 2010): a bug that needs `depth` ordering constraints among `n`
/// tasks in `length` steps is found by one schedule with a probability of at least 1 / (n * length^(depth - 1)).
struct PriorityRule: Sendable {
  private var generator: SplitMix64
  /// At which steps a priority is lost; what comes later loses to what came earlier.
  private let changes: [Int]
  private var priorities: [Int?] = []
  private var lowest: Int

  init(seed: UInt64, depth: Int, length: Int) {
    var generator = SplitMix64(seed)
    changes = (0..<min(max(0, depth - 1), length)).map { _ in generator.below(length) }.sorted()
    lowest = -changes.count
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
    guard let change = changes.firstIndex(of: step) else { return }
    _ = priority(of: task)
    priorities[task] = -1 - change
  }

  /// Lets all others go before a task.
  mutating func standBack(_ task: Int) {
    lowest -= 1
    priorities[task] = lowest
  }

  /// A new task's priority is random, and above all that were lost.
  private mutating func priority(of task: Int) -> Int {
    while priorities.count <= task { priorities.append(nil) }
    if let known = priorities[task] { return known }
    let new = generator.below(1 << 40)
    priorities[task] = new
    return new
  }
}
