/// Makes a task that yields in a loop wait until the other ready tasks have run.
///
/// Otherwise, a search that tries every schedule would try every number of iterations of the loop, and never end. After
/// its first yield, a task may still run before all others. This is fair scheduling (Musuvathi and Qadeer, "Fair
/// Stateless Model Checking", PLDI 2008).
struct FairYields {
  /// For each task that has yielded, the tasks that have been ready and have not run since its last yield.
  private var starved: [Int: Set<Int>] = [:]
  /// For each task that rests, the tasks for which it waits.
  private var awaited: [Int: Set<Int>] = [:]

  /// Whether any task rests.
  var isResting: Bool { !awaited.isEmpty }

  /// Whether a task waits until others have moved.
  func rests(_ task: Int) -> Bool { awaited[task] != nil }

  /// Records that a task lets others run.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - ready: The ready tasks.
  mutating func yield(_ task: Int, ready: [Int]) {
    if let starved = starved[task], !starved.isEmpty { awaited[task, default: []].formUnion(starved) }
    starved[task] = Set(ready.filter { $0 != task })
  }

  /// Records that a task runs while others are ready.
  mutating func ran(_ task: Int, ready: [Int]) {
    if starved.isEmpty { return }
    let others = Set(ready.filter { $0 != task })
    starved = starved.mapValues { $0.intersection(others) }
    for (resting, tasks) in awaited {
      let left = tasks.intersection(others)
      awaited[resting] = left.isEmpty ? nil : left
    }
  }
}
