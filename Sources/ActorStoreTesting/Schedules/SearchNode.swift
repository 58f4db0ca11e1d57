/// A point in a run at which a `ReducedSearch` can continue with several tasks.
struct SearchNode: Sendable {
  /// The step that the last run executed here.
  private(set) var step: Step
  /// The tasks with which later runs will continue here.
  private var planned: [Int] = []
  /// The other steps that earlier runs executed here.
  private var explored: [Step] = []
  /// The steps that earlier runs executed at an earlier node, and that conflict with no step in between.
  ///
  /// A run that continues with one of them is equivalent to an earlier run. Godefroid calls them the sleep set
  /// ("Partial-Order Methods for the Verification of Concurrent Systems", 1996).
  private let inherited: [Step]
  /// The steps that were inherited until a step conflicted with them, and whose tasks have not run since.
  private let disturbed: [Step]

  /// Creates the node at which a run executed a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - previous: The node of the step before it, if any.
  init(_ step: Step, after previous: SearchNode?) {
    self.step = step
    var inherited: [Step] = []
    var disturbed: [Step] = []
    if let previous {
      for old in previous.explored where !old.conflicts(with: previous.step) { inherited.append(old) }
      for old in previous.disturbed where old.task != previous.step.task { disturbed.append(old) }
      for old in previous.inherited {
        if old.conflicts(with: previous.step) { disturbed.append(old) } else { inherited.append(old) }
      }
    }
    self.inherited = inherited
    self.disturbed = disturbed
    replaceStep(by: step)
  }

  /// Whether every run that continues here with the task is equivalent to an earlier run.
  func hasExplored(_ task: Int) -> Bool {
    explored.contains { $0.task == task } || inherited.contains { $0.task == task }
  }

  /// Plans to continue with one of several tasks, unless a run has continued with one of them or will do so.
  mutating func plan(oneOf tasks: [Int], preferring preferred: Int) {
    if tasks.contains(where: { $0 == step.task || planned.contains($0) || hasExplored($0) }) { return }
    // A task that sleeps can wake early only within a bound, and not before one with an earlier deadline.
    let ready = tasks.filter(step.ready.contains)
    guard let first = ready.first else { return }
    planned.append(ready.contains(preferred) ? preferred : first)
  }

  /// Advances to the next planned task, and returns its index.
  ///
  /// Returns `nil` if every planned task has run. A planned task is always ready, unless the body depends on more than
  /// its schedule.
  mutating func advance() -> Int? {
    guard let task = planned.first else { return nil }
    planned.removeFirst()
    if !hasExplored(step.task) { explored.append(step) }
    return step.ready.firstIndex(of: task)
  }

  /// Replaces the step with the one that the next run executed here.
  ///
  /// A conflicting step can change which objects a task accesses next. Dynamic partial-order reduction assumes that it
  /// does not. No run executed a disturbed step here, so the races of its accesses here are unknown. If the new step
  /// kept only its own accesses, the search could miss those races. So it also gets the accesses of the disturbed
  /// step. Otherwise, the test `findsRacesOfAccessesThatDependOnTheOrder` fails.
  mutating func replaceStep(by step: Step) {
    self.step = step
    for old in disturbed where old.task == step.task {
      if old.isOpaque { self.step.isOpaque = true }
      for access in old.accesses where !self.step.accesses.contains(access) { self.step.accesses.append(access) }
    }
  }
}
