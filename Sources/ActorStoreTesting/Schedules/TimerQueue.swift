/// Sleepers in the order of their deadlines, and for equal deadlines, in the order of the calls.
struct TimerQueue<Sleeper> {
  struct ID: Equatable {
    fileprivate let deadline: Duration
    fileprivate let number: Int
  }

  private var timers: [(id: ID, sleeper: Sleeper)] = []
  private var lastNumber = 0

  var isEmpty: Bool { timers.isEmpty }
  var earliest: Duration? { timers.first?.id.deadline }

  mutating func add(_ sleeper: Sleeper, until deadline: Duration) -> ID {
    lastNumber += 1
    let id = ID(deadline: deadline, number: lastNumber)
    timers.insert((id, sleeper), at: position(of: id))
    return id
  }

  /// Removes and returns a sleeper.
  ///
  /// Returns `nil` if the timer has fired or was removed before.
  mutating func remove(_ id: ID) -> Sleeper? {
    let position = position(of: id)
    guard position < timers.count, timers[position].id == id else { return nil }
    return timers.remove(at: position).sleeper
  }

  /// Removes and returns the sleepers that are due at a moment, in order.
  mutating func removeAll(until moment: Duration) -> [Sleeper] {
    let due = timers.prefix { $0.id.deadline <= moment }.map(\.sleeper)
    timers.removeFirst(due.count)
    return due
  }

  private func position(of id: ID) -> Int {
    var (low, high) = (0, timers.count)
    while low < high {
      let middle = (low + high) / 2
      let other = timers[middle].id
      if (other.deadline, other.number) < (id.deadline, id.number) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
