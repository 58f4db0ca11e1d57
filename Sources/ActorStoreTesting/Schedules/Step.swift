/// A part of a run in which one task runs, from one decision to the next.
struct Step: Equatable, Sendable {
  /// An access to an object that tasks share.
  struct Access: Equatable, Sendable {
    /// The number of the object.
    ///
    /// An object must get its number when it is created. If it got the number at its first access, one number could
    /// mean different objects in runs that begin with the same steps.
    let object: UInt64
    let isWrite: Bool
  }

  /// The numbers of the tasks that were ready before the step, in the order of the indices of a decision.
  ///
  /// A task must get its number when it is created. No number can occur twice, so a job that belongs to no task counts
  /// as a new task.
  let ready: [Int]
  /// The index of the task that ran.
  let choice: Int
  /// The number of decisions within the step that count although no other task could run.
  var forcedDecisions = 0
  /// The accesses of the step to everything that tasks share.
  ///
  /// If a result can depend on the order in which tasks end, the end of a task is a write, and waiting for it is a read,
  /// whether the waiting task suspends or not. If several steps compete to make a task ready, each of them writes a
  /// common object.
  var accesses: [Access] = []
  /// Whether the step conflicts with every step of another task, because its accesses are unknown.
  var isOpaque = false
  /// Whether no task was ready after the last step, so that the time advanced.
  var isBarrier = false

  var task: Int { ready[choice] }
  /// Whether the step is a decision of the schedule.
  var isDecision: Bool { ready.count > 1 }

  /// Whether the order of this step and a step of another task can matter.
  func conflicts(with other: Step) -> Bool {
    if isOpaque || other.isOpaque { return true }
    for access in accesses {
      for there in other.accesses where access.object == there.object {
        if access.isWrite || there.isWrite { return true }
      }
    }
    return false
  }
}
