@testable import ActorStoreTesting

extension Chooser {
  /// Returns the index of the task to run next, if no task sleeps.
  mutating func choose(among tasks: [Int], step: Int, _ moment: Moment = .betweenSteps) -> Int {
    choose(among: Candidates(tasks: tasks, count: tasks.count), step: step, moment)
  }

  /// Returns the order in which the chooser runs tasks with the given numbers of steps.
  ///
  /// All tasks are ready from the beginning.
  mutating func order(ofTasksWith steps: [Int]) -> [Int] {
    var left = steps
    var ready = Array(steps.indices)
    var order: [Int] = []
    while !ready.isEmpty {
      let task = ready.remove(at: choose(among: ready, step: order.count))
      order.append(task)
      left[task] -= 1
      if left[task] > 0 { ready.append(task) }
    }
    return order
  }
}
