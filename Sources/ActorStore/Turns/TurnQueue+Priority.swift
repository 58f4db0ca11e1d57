import Synchronization

/// Lending the priorities of waiting calls to the calls ahead of them.
extension TurnQueue {
  /// Whether waiting calls lend their priorities.
  ///
  /// Only the load test changes it.
  package static var lendsPriorities: Bool {
    get { lending.load(ordering: .relaxed) }
    set { lending.store(newValue, ordering: .relaxed) }
  }

  private static let lending = Atomic<Bool>(true)

  /// The raw value of the priority that a task has if the current code creates it.
  ///
  /// A call reads it when it parks, so calls that do not park pay nothing.
  static func priorityHere() -> UInt8 {
    // On Linux, only the main thread has a priority outside tasks.
    let priority = Task.currentPriority.rawValue
    return priority == 0 ? TaskPriority.medium.rawValue : priority
  }
}

extension Resumption<TurnQueue.Waiter> {
  /// Raises the waiter's priority, and then resumes it.
  ///
  /// The order matters. A task that is raised only when it runs has already waited in the queue of its old priority.
  /// Raising a priority runs escalation handlers, so no lock is held here.
  func resume(returning wakeup: TurnQueue.Wakeup) {
    if let lentPriority, TurnQueue.lendsPriorities { waiter.raisePriority(to: lentPriority) }
    waiter.resume(returning: wakeup)
  }
}
