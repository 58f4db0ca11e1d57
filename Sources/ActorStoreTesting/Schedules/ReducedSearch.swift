/// A depth-first search that tries at least one schedule of each class of equivalent schedules.
///
/// Two schedules are equivalent if they differ only in the order of steps that do not conflict. Equivalent schedules
/// have the same result. The search requires that steps report every access to anything that tasks share.
///
/// It uses dynamic partial-order reduction (Flanagan and Godefroid, "Dynamic Partial-Order Reduction for Model Checking
/// Software", POPL 2005) in the variant with source sets (Abdulla, Aronis, Jonsson, and Sagonas, "Optimal Dynamic
/// Partial Order Reduction", POPL 2014). After each run:
///
/// 1. The search finds the races of the run. For each race, it plans a run that reverses it, unless a run that it has
///    planned or finished begins in the same way.
/// 2. It goes back to the last step at which it has planned another task.
///
/// No two runs have the same schedule.
struct ReducedSearch: Sendable {
  /// The decisions with which the next run begins, or `nil` if every class of schedules has run.
  ///
  /// After these decisions, the run can choose as it likes.
  private(set) var script: [Int]? = []
  /// The nodes of the last run, up to the one at which the next run continues with another task.
  private var nodes: [SearchNode] = []

  /// Advances to the next schedule, given the steps of the last run.
  mutating func advance(past steps: [Step]) {
    // The steps before the last decision of the script are old, and so are their races.
    let firstNew = max(0, nodes.count - 1)
    let count = addNodes(for: steps, from: firstNew)
    planReversals(before: count, from: firstNew)
    script = nextScript()
  }

  /// Adds nodes until the run becomes equivalent to an earlier one, and returns the number of steps before that.
  ///
  /// The rest of the run has no new races.
  private mutating func addNodes(for steps: [Step], from first: Int) -> Int {
    for position in steps.indices.dropFirst(first) {
      let step = steps[position]
      if position < nodes.count {
        nodes[position].replaceStep(by: step)
      } else {
        nodes.append(SearchNode(step, after: nodes.last))
      }
      if nodes[position].hasExplored(step.task) {
        // The run does not know which tasks the search has already explored, so plan one of the others instead.
        let others = step.ready.filter { !nodes[position].hasExplored($0) }
        nodes[position].plan(oneOf: others, preferring: step.task)
        return position
      }
    }
    return steps.count
  }

  /// Plans a reversal of each race of a new step.
  private mutating func planReversals(before end: Int, from first: Int) {
    var lastTask = 0
    for node in nodes[..<end] { for task in node.step.ready where task > lastTask { lastTask = task } }
    var order = HappensBefore(taskCount: lastTask + 1)
    for later in 0..<end {
      let step = nodes[later].step
      let races = order.append(step)
      if later < first { continue }
      for earlier in races {
        // A run lets a task continue as long as it can, so it reaches the later step soonest with that step's task.
        nodes[earlier].plan(oneOf: order.initials(reversing: earlier), preferring: step.task)
      }
    }
  }

  /// Goes back to the last node with a planned task, and returns the decisions that lead to the task.
  private mutating func nextScript() -> [Int]? {
    while var node = nodes.popLast() {
      guard let choice = node.advance() else { continue }
      var script: [Int] = []
      for node in nodes {
        if node.step.isDecision { script.append(node.step.choice) }
        script += repeatElement(0, count: node.step.forcedDecisions)
      }
      nodes.append(node)
      return script + [choice]
    }
    return nil
  }
}
