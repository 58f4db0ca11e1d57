import ActorStore

/// The calls of an `onUpdate` closure of an atom that one thread sets.
///
/// The closure must see each value, in order.
final class ChaosUpdates: Sendable {
  private struct State: Sendable {
    var skip: Int
    var expected: [Int] = []
    var count = 0
    var problem: String?
  }

  private let skip: Int
  private let state: Locked<State>

  init(skip: Int = 0) {
    self.skip = skip
    state = Locked(State(skip: skip))
  }

  /// Notes the next value, before the atom is set to it.
  func willSet(_ value: Int) {
    state.withLock { state in
      if state.skip > 0 { state.skip -= 1 } else { state.expected.append(value) }
    }
  }

  /// Notes a call.
  ///
  /// - Parameters:
  ///   - value: The value of the call.
  ///   - former: The calls of the closure that was added first, and that has already seen the value.
  func saw(_ value: Int, after former: ChaosUpdates? = nil) {
    let countOfFormer = former?.count
    state.withLock { state in
      let expected = state.count < state.expected.count ? state.expected[state.count] : nil
      state.count += 1
      if state.problem != nil { return }
      if value != expected {
        state.problem = "onUpdate: expected \(expected.map { "\($0)" } ?? "no call"), saw \(value)"
      } else if let countOfFormer, countOfFormer != state.count + skip {
        state.problem = "onUpdate: \(countOfFormer) calls of the first closure before call \(state.count) of the second"
      }
    }
  }

  var count: Int { state.withLock { $0.count } }
  var problem: String? { state.withLock { $0.problem } }
  /// Whether the closure has seen all values.
  var isDone: Bool { missed.isEmpty }
  var missed: [Int] { state.withLock { Array($0.expected.dropFirst($0.count)) } }
}

/// The times at which an atom was set.
final class ChaosTimes: Sendable {
  let clock: ChaosClock
  /// For each value from zero, a time before the atom was set to it.
  private let times = Locked([Duration.zero])

  init(_ clock: ChaosClock) { self.clock = clock }

  func willSet(upTo value: Int) {
    let now = clock.now.offset
    times.withLock { times in
      while times.count <= value { times.append(now) }
    }
  }

  /// A time before the atom was set to a value.
  subscript(value: Int) -> Duration { times.withLock { $0[value] } }
}

/// Checks the order and the delays of values that follow an atom that only grows.
final class ChaosDelayed: Sendable {
  enum Pace: Sendable {
    case none, debounce, throttle
  }

  private struct State: Sendable {
    /// The last two values, older first.
    var seen = [-1, -1]
    var count = 0
    var hasTimes = false
    var isQuiet = false
    var problem: String?
  }

  private let pace: Pace
  private let times: ChaosTimes
  /// Whether runs of an asynchronous atom see the values.
  ///
  /// A canceled run can still see an old one.
  private let isAsync: Bool
  private let state = Locked(State())

  init(_ pace: Pace, _ times: ChaosTimes, isAsync: Bool = false) {
    (self.pace, self.times, self.isAsync) = (pace, times, isAsync)
  }

  func saw(_ value: Int) {
    let now = times.clock.now.offset
    state.withLock { state in
      state.count += 1
      let former = state.seen
      if value <= former[1] {
        if !isAsync { state.problem = state.problem ?? "\(pace): saw \(value) after \(former[1])" }
        return
      }
      state.seen = [former[1], value]
      guard state.hasTimes, state.problem == nil, let first = changed(value, after: former, state.isQuiet) else {
        return
      }
      if now < times[first] + ChaosSteps.delay {
        state.problem = "\(pace): saw \(value) after \(former) at \(now), but \(first) was set at \(times[first])"
      }
    }
  }

  /// Returns the value whose change must be at least one delay old when `value` arrives, or `nil` without a delay.
  private func changed(_ value: Int, after former: [Int], _ isQuiet: Bool) -> Int? {
    switch pace {
    case .none: nil
    // The value can be newer than the change that began the delay, because the run reads the newest value.
    case .debounce: isQuiet ? value : former[1] + 1
    // The previous run began after the first change that it read. That change followed `former[0]`.
    case .throttle: former[0] + 1
    }
  }

  var count: Int { state.withLock { $0.count } }
  var last: Int { state.withLock { $0.seen[1] } }
  var problem: String? { state.withLock { $0.problem } }
  func beginTimes() { state.withLock { $0.hasTimes = true } }
  func setQuiet(_ isQuiet: Bool) { state.withLock { $0.isQuiet = isQuiet } }
  /// Allows smaller values again, because the atom is about to be reset.
  func restart() { state.withLock { $0.seen = [-1, -1] } }
}
