/// A depth-first search that tries at least one of each class of equivalent schedules.
///
/// Two schedules are equivalent if they differ only in the order of steps that do not conflict. Equivalent schedules
/// have the same result. The search requires that steps report every access to anything that tasks share.
///
/// It uses dynamic partial-order reduction (Flanagan and Godefroid, "Dynamic Partial-Order Reduction for Model Checking
/// Software", POPL 2005) in the variant with source sets (Abdulla, Aronis, Jonsson, and Sagonas, "Optimal Dynamic
/// Partial Order Reduction", POPL 2014). After each run:
///
/// 1. The search finds the races of the run. For each of them, it plans a run that reverses it, unless a run that it
///    has planned or finished can lead to the same order.
/// 2. It goes back to the last step at which it has planned another task.
///
/// A run never executes the same schedule as an earlier run.
struct ReducedSearch: Sendable {
  /// The decisions with which the next run begins, or `nil` if every class of schedules has run.
  ///
  /// After these decisions, the run can choose as it likes.
  private(set) var script: [Int]? = []
  /// The steps of the last run, up to the one that the script changes.
  private var nodes: [Node] = []

  private struct Node: Sendable {
    /// The step that the last run executed here.
    var step: Step
    /// The steps with which a run must not continue here, because it would be equivalent to an earlier run.
    ///
    /// An earlier run has executed each of these steps here, or before steps that do not conflict with it. Godefroid calls
    /// them the sleep set ("Partial-Order Methods for the Verification of Concurrent Systems", 1996).
    var explored: [Step]
    /// The tasks with which later runs will continue here.
    var planned: [Int] = []

    func hasExplored(_ task: Int) -> Bool { explored.contains { $0.task == task } }

    /// Whether runs that continue here with a task have run or will run.
    func covers(_ task: Int) -> Bool { step.task == task || planned.contains(task) || hasExplored(task) }

    /// The explored steps that are still explored after this node's step.
    var exploredNext: [Step] { explored.isEmpty ? [] : explored.filter { !$0.conflicts(with: step) } }
  }

  /// Advances to the next schedule, given the steps of the last run.
  mutating func advance(past steps: [Step]) {
    // Earlier steps are those of the run before, so their races are known.
    let firstNew = max(0, nodes.count - 1)
    let count = addNodes(for: steps, from: firstNew)
    planReversals(in: steps[..<count], from: firstNew)
    script = nextScript()
  }

  /// Adds nodes up to the first explored step, and returns the number of steps before it.
  ///
  /// From there, the run is equivalent to an earlier one, although its decisions are new. It has no new races.
  private mutating func addNodes(for steps: [Step], from first: Int) -> Int {
    for position in steps.indices.dropFirst(first) {
      let step = steps[position]
      if position < nodes.count {
        nodes[position].step = step
      } else {
        nodes.append(Node(step: step, explored: nodes.last?.exploredNext ?? []))
      }
      if nodes[position].hasExplored(step.task) {
        // The run did not know which tasks to avoid.
        let other = step.ready.first { !nodes[position].hasExplored($0) }
        if let other { nodes[position].planned.append(other) }
        return position
      }
    }
    return steps.count
  }

  /// Plans a run for each race of a new step that no other run reverses.
  private mutating func planReversals(in steps: ArraySlice<Step>, from first: Int) {
    var lastTask = 0
    for step in steps { for task in step.ready where task > lastTask { lastTask = task } }
    var order = HappensBefore(taskCount: lastTask + 1)
    for (later, step) in steps.enumerated() {
      let races = order.append(step)
      if later < first { continue }
      for earlier in races {
        let initials = order.initials(reversing: earlier)
        if initials.contains(where: nodes[earlier].covers) { continue }
        // The run continues the task as long as it can, so this is the shortest way to reverse the race.
        let task = initials.contains(step.task) ? step.task : initials[0]
        nodes[earlier].planned.append(task)
      }
    }
  }

  /// Goes back to the last node with a planned task, and returns the decisions that lead to that task.
  private mutating func nextScript() -> [Int]? {
    while var node = nodes.popLast() {
      // A planned task is ready here, unless the body depends on more than its schedule.
      guard let task = node.planned.first, let choice = node.step.ready.firstIndex(of: task) else { continue }
      node.planned.removeFirst()
      if !node.hasExplored(node.step.task) { node.explored.append(node.step) }
      var script: [Int] = []
      for node in nodes where node.step.isDecision { script.append(node.step.choice) }
      nodes.append(node)
      return script + [choice]
    }
    return nil
  }
}
