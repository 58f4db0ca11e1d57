/// Sleepers in the order of their deadlines, and for equal deadlines, in the order of the calls.
///
/// A background task, such as the timer of a watchdog, only observes other tasks. A run does not wait for it, and it
/// advances the time only a few times in a row. Otherwise, it would sleep again and again in a run that cannot
/// continue, and no run with it could be a deadlock.
struct TimerQueue<Sleeper> {
  struct ID: Equatable {
    fileprivate let deadline: Duration
    fileprivate let number: Int
  }

  private struct Timer {
    let id: ID
    let sleeper: Sleeper
    /// The number of the task in the schedule.
    let task: Int
    /// Whether the timer may fire while other tasks are ready.
    let canBeEarly: Bool
    /// The number of the task if it is a background task.
    let background: UInt64?
  }

  private var timers: [Timer] = []
  private var lastNumber = 0
  private var foregroundCount = 0
  /// The number of times that each background task has woken since the last step of another task.
  private var wakes: [UInt64: Int] = [:]

  /// The number of times in a row that a background task advances the time.
  ///
  /// A task that compares each look with the previous one needs two looks to notice that nothing has changed. A third
  /// may be necessary, because the first may follow the last change immediately.
  static var wakesInARow: Int { 3 }

  /// Whether a task other than a background task sleeps.
  var hasForeground: Bool { foregroundCount > 0 }

  /// The earliest deadline to which the time may advance, or `nil` if there is none.
  var next: Duration? {
    if wakes.isEmpty { return timers.first?.id.deadline }
    return timers.first { !isExhausted($0) }?.id.deadline
  }

  private func isExhausted(_ timer: Timer) -> Bool {
    timer.background.map { wakes[$0, default: 0] >= Self.wakesInARow } ?? false
  }

  /// - Parameters:
  ///   - task: The number of the task in the schedule.
  ///   - canBeEarly: Whether the timer may fire while other tasks are ready.
  ///   - background: The number of the task in the process if it is a background task.
  mutating func add(
    _ sleeper: Sleeper, until deadline: Duration, task: Int = 0, canBeEarly: Bool = true, background: UInt64? = nil
  ) -> ID {
    lastNumber += 1
    let id = ID(deadline: deadline, number: lastNumber)
    let timer = Timer(id: id, sleeper: sleeper, task: task, canBeEarly: canBeEarly, background: background)
    timers.insert(timer, at: position(of: id))
    if background == nil { foregroundCount += 1 }
    return id
  }

  /// Removes and returns a sleeper.
  ///
  /// Returns `nil` if the timer has fired or was removed before.
  mutating func remove(_ id: ID) -> Sleeper? {
    let position = position(of: id)
    guard position < timers.count, timers[position].id == id else { return nil }
    let timer = timers.remove(at: position)
    if timer.background == nil { foregroundCount -= 1 }
    return timer.sleeper
  }

  /// Removes and returns the sleepers that are due at a moment, in order.
  mutating func removeAll(until moment: Duration) -> [Sleeper] {
    let due = timers.prefix { $0.id.deadline <= moment }
    timers.removeFirst(due.count)
    for timer in due {
      if let task = timer.background { wakes[task, default: 0] += 1 } else { foregroundCount -= 1 }
    }
    return due.map(\.sleeper)
  }

  // MARK: Early timers

  /// The timers that may fire while other tasks are ready: those with the earliest deadline outside of the background.
  private var early: LazyFilterSequence<[Timer]> {
    let first = timers.first { $0.background == nil }
    return timers.lazy.filter { $0.canBeEarly && $0.id.deadline == first?.id.deadline }
  }

  /// The tasks whose timers may fire early.
  var earlyTasks: [Int] { hasForeground ? early.map(\.task) : [] }

  /// Fires an early timer, and all others that are due then.
  ///
  /// - Parameter index: The index of the timer among those that may fire early.
  /// - Returns: The deadline, the sleeper, and the other sleepers that are due, in order.
  mutating func fireEarly(_ index: Int) -> (deadline: Duration, first: Sleeper, others: [Sleeper])? {
    guard let timer = early.dropFirst(index).first, let first = remove(timer.id) else { return nil }
    return (timer.id.deadline, first, removeAll(until: timer.id.deadline))
  }

  // MARK: Background tasks

  /// Removes and returns the sleepers of background tasks, in order.
  mutating func removeBackground() -> [Sleeper] {
    defer { timers.removeAll { $0.background != nil } }
    return timers.filter { $0.background != nil }.map(\.sleeper)
  }

  /// Whether a task has woken as a background task since the last step of another task.
  func isInBackground(_ task: UInt64) -> Bool { wakes[task] != nil }

  /// Records a step of a task that is not in the background, after which background tasks may look again.
  mutating func noteProgress() {
    if !wakes.isEmpty { wakes = [:] }
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
