/// The order of a run's steps that every equivalent run preserves, as vector clocks.
///
/// A step happens before a later one if a chain of these edges connects them:
///
/// 1. A step happens before the next step of its task.
/// 2. A step that makes a task ready happens before the task's next step.
/// 3. A step happens before each later step with which it conflicts.
/// 4. A step happens before all steps after the next advance of the time.
///
/// The clocks omit edges of the last kind. They only ever compare steps between two advances.
struct HappensBefore {
  private let taskCount: Int
  /// The task of each step.
  private var tasks: [Int] = []
  /// The steps of each task.
  private var history: [[Int]]
  /// For each step and each task, how many steps of the task happen before the step or are the step.
  private var clocks: [Int] = []
  /// For each task, the last step before which it was ready, and the step that made it ready.
  private var readiness: [(last: Int, waker: Int?)]
  /// The index of each object in `lastAccesses`.
  private var objects: [UInt64: Int] = [:]
  private var lastAccesses: [LastAccesses] = []
  private var lastOpaqueStep: Int?
  /// The first step after the last advance of the time.
  private var barrier = 0
  private var candidates: [Int] = []

  /// The accesses of an object with which its next access can race.
  ///
  /// Every other access happens before one of these.
  private struct LastAccesses {
    var write: Int?
    /// The last read of each task since the last write.
    var reads: [Int] = []
  }

  /// Creates an empty order.
  ///
  /// - Parameter taskCount: A number that is greater than the number of every task.
  init(taskCount: Int) {
    self.taskCount = taskCount
    history = Array(repeating: [], count: taskCount)
    readiness = Array(repeating: (last: -1, waker: nil), count: taskCount)
  }

  /// Adds the next step, and returns the earlier steps with which it races.
  ///
  /// Two steps race if they conflict and no third step must come between them. If the earlier one makes the task of the
  /// later one ready, they do not race. So another run can reverse each race.
  mutating func append(_ step: Step) -> [Int] {
    let number = tasks.count
    let task = step.task
    if step.isBarrier { barrier = number }
    findWakers(of: step.ready, before: number)
    findCandidates(for: step)
    clocks.append(contentsOf: repeatElement(0, count: taskCount))
    if let previous = history[task].last { join(previous, into: number) }
    // Join the waker first, so that it never races with the step.
    if let waker = readiness[task].waker { join(waker, into: number) }
    var races: [Int] = []
    // A candidate that happens before another candidate does not race, so the later one must come first.
    if candidates.count > 1 { candidates.sort(by: >) }
    for candidate in candidates where candidate >= barrier && !happens(candidate, before: number) {
      races.append(candidate)
      join(candidate, into: number)
    }
    tasks.append(task)
    history[task].append(number)
    clocks[number * taskCount + task] = history[task].count
    record(step, number)
    return races
  }

  /// Returns the tasks with which a run can continue instead of `earlier` to reverse its race with the last step.
  ///
  /// Such a run executes the steps after `earlier` that happen before the last step, and then the last step itself. A
  /// task is in the result if no other task's step after `earlier` happens before its next step. The result is never
  /// empty, and all its tasks are ready before `earlier`.
  ///
  /// Abdulla et al. call these tasks the initials. They also count steps that the last step does not need.
  func initials(reversing earlier: Int) -> [Int] {
    var counts: [Int] = []
    counts.reserveCapacity(taskCount)
    for steps in history { counts.append(Self.count(of: steps, upTo: earlier)) }
    var initials: [Int] = []
    for task in 0..<taskCount where counts[task] < history[task].count {
      let next = history[task][counts[task]]
      if happens(next, before: tasks.count - 1) && needsNone(next, after: counts) { initials.append(task) }
    }
    return initials
  }

  /// Whether no step of another task, except for the first ones up to a count, happens before a step.
  private func needsNone(_ step: Int, after counts: [Int]) -> Bool {
    for task in 0..<taskCount where task != tasks[step] && clocks[step * taskCount + task] > counts[task] {
      return false
    }
    return true
  }

  private static func count(of steps: [Int], upTo last: Int) -> Int {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle] <= last { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a step happens before another one or is the same step.
  private func happens(_ earlier: Int, before later: Int) -> Bool {
    let task = tasks[earlier]
    return clocks[earlier * taskCount + task] <= clocks[later * taskCount + task]
  }

  private mutating func join(_ earlier: Int, into later: Int) {
    for task in 0..<taskCount {
      let known = clocks[earlier * taskCount + task]
      if known > clocks[later * taskCount + task] { clocks[later * taskCount + task] = known }
    }
  }

  private mutating func findWakers(of ready: [Int], before step: Int) {
    for task in ready {
      if readiness[task].last < step - 1 { readiness[task].waker = step - 1 }
      readiness[task].last = step
    }
  }

  /// Finds the earlier steps with which a step can race.
  ///
  /// They can include steps of its own task, which happen before it.
  private mutating func findCandidates(for step: Step) {
    candidates.removeAll(keepingCapacity: true)
    if step.isOpaque {
      for steps in history { if let last = steps.last { candidates.append(last) } }
      return
    }
    if let lastOpaqueStep { candidates.append(lastOpaqueStep) }
    for access in step.accesses {
      guard let object = objects[access.object] else { continue }
      if let write = lastAccesses[object].write { candidates.append(write) }
      if access.isWrite { candidates += lastAccesses[object].reads }
    }
  }

  private mutating func record(_ step: Step, _ number: Int) {
    if step.isOpaque { lastOpaqueStep = number }
    for access in step.accesses {
      let object = index(of: access.object)
      if access.isWrite {
        lastAccesses[object] = LastAccesses(write: number)
      } else {
        let same = lastAccesses[object].reads.firstIndex { tasks[$0] == tasks[number] }
        if let same { lastAccesses[object].reads[same] = number } else { lastAccesses[object].reads.append(number) }
      }
    }
  }

  private mutating func index(of object: UInt64) -> Int {
    if let known = objects[object] { return known }
    objects[object] = lastAccesses.count
    lastAccesses.append(LastAccesses())
    return lastAccesses.count - 1
  }
}
