/// The priorities of the calls that wait for their turns, and the number of calls with each priority.
///
/// A waiting call lends its priority to the calls ahead of it. A hand-off resumes the first waiting call, and all other
/// calls are behind that one. So it gets the highest priority of all waiting calls, and their order does not matter.
///
/// Each operation takes a step for each distinct priority. If all calls have the same one, which is usual, the counts
/// need no memory of their own.
struct WaitingPriorities: Hashable, Sendable {
  private struct Level: Hashable, Sendable {
    /// The raw value of a `TaskPriority`.
    let priority: UInt8
    var count: UInt32
  }

  /// All priorities except the highest, from the lowest to the highest.
  private var lower: [Level] = []
  // In this order, the fields of the queue that follow fit behind them.
  private var highestCount: UInt32 = 0
  private var highestPriority: UInt8 = 0
  /// The highest priority, with a count of 0 only if no call waits.
  private var highest: Level {
    get { Level(priority: highestPriority, count: highestCount) }
    set { (highestPriority, highestCount) = (newValue.priority, newValue.count) }
  }

  /// The priority that the waiting calls lend to one of them, or `nil` if none has a higher priority than that call.
  func lent(to priority: UInt8) -> UInt8? {
    highest.priority > priority ? highest.priority : nil
  }

  mutating func insert(_ priority: UInt8) {
    if priority == highest.priority {
      highest.count += 1
    } else if priority > highest.priority {
      if highest.count > 0 { lower.append(highest) }
      highest = Level(priority: priority, count: 1)
    } else if let index = lower.firstIndex(where: { $0.priority >= priority }) {
      if lower[index].priority == priority {
        lower[index].count += 1
      } else {
        lower.insert(Level(priority: priority, count: 1), at: index)
      }
    } else {
      lower.append(Level(priority: priority, count: 1))
    }
  }

  /// Removes one call with a priority that has been inserted.
  mutating func remove(_ priority: UInt8) {
    if priority == highest.priority {
      highest.count -= 1
      if highest.count > 0 { return }
      highest = lower.popLast() ?? Level(priority: 0, count: 0)
      // Also frees the memory, because the store may remain idle.
      if highest.count == 0 { lower = [] }
      return
    }
    guard let index = lower.firstIndex(where: { $0.priority == priority }) else {
      preconditionFailure("ActorStore: a call lent a priority that it does not have. This is a bug in ActorStore.")
    }
    lower[index].count -= 1
    if lower[index].count == 0 { lower.remove(at: index) }
  }
}
