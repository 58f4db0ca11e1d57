/// Timing something in turns with its baseline.
extension Bench {
  /// Does so many operations, and returns how many nanoseconds they took in all; what it does besides is not timed.
  typealias Timed = @Sendable (_ operations: Int) async -> Double

  /// Times a subject and its baseline in turns, so that both meet the machine in the same mood.
  ///
  /// The ratio of each pair is taken; what counts is the median of them. How many operations a round has is found by
  /// trying, so that all rounds take the case's time; or `--dispatches` says it.
  func compare(
    to name: String,
    atLeast least: Int = 1,
    atMost most: Int = .max,
    baseline: Timed,
    subject: Timed
  ) async -> Figures {
    var rounds = Rounds(options)
    // The first calls bring what all share; the second tell how long one takes.
    for number in 0..<2 where number == 0 || elapsed < budget / 8 {
      rounds.cost = await cost(least, most, subject)
      rounds.baselineCost = await cost(least, most, baseline)
    }
    rounds.budget = timeLeft
    let counts = rounds.counts(atLeast: least, atMost: most)
    var subjects: [Double] = []
    var baselines: [Double] = []
    for count in counts {
      let beside = rounds.baselineCount(beside: count, atLeast: least, atMost: most)
      baselines.append(await baseline(beside) / Double(beside))
      beat()
      subjects.append(await subject(count) / Double(count))
      beat()
    }
    return Figures(
      operations: counts.reduce(0, +), nanoseconds: Spread(subjects),
      baseline: .init(name: name, nanosecondsPerOperation: Spread(baselines)),
      ratio: Spread(zip(subjects, baselines).map { $0 / $1 }.filter(\.isFinite)))
  }

  /// Times something that has nothing to be compared with.
  func time(atLeast least: Int = 1, atMost most: Int = .max, _ subject: Timed) async -> Figures {
    var rounds = Rounds(options)
    if options.dispatches == nil { rounds.cost = await cost(least, most, subject) }
    rounds.budget = timeLeft
    var figures: [Double] = []
    let counts = rounds.counts(atLeast: least, atMost: most)
    for count in counts {
      figures.append(await subject(count) / Double(count))
      beat()
    }
    return Figures(operations: counts.reduce(0, +), nanoseconds: Spread(figures))
  }

  /// What is left is for latencies.
  private static let timedShare = 0.75

  /// What is left of the time after the calibration.
  private var timeLeft: Double { max(budget * 0.2, budget * Self.timedShare - elapsed) }

  /// What one operation more takes, timed or not, besides what has to be set up; found by as many as take a few
  /// milliseconds.
  private func cost(_ least: Int, _ most: Int, _ subject: Timed) async -> Double {
    // A number that was asked for is not to be exceeded by far.
    let most = min(most, options.dispatches.map { max(least, $0 / 4) } ?? most)
    let enough = min(3e6, budget / 50)
    let first = await wholeTime(least, subject)
    var count = least
    while count < most {
      // Where the first took long it may be for what had to be set up, and may be not.
      count = min(most, count * (first > enough ? 2 : 8))
      let nanoseconds = await wholeTime(count, subject)
      if nanoseconds - first > enough { return (nanoseconds - first) / Double(count - least) }
    }
    return first / Double(least)
  }

  private func wholeTime(_ count: Int, _ subject: Timed) async -> Double {
    let start = now()
    _ = await subject(count)
    beat()
    return Double(now() - start)
  }

  // MARK: Latencies

  /// Times single calls, from so many tasks at once, for what is left of the time or for 20,000 calls.
  ///
  /// `calls` has the loop, so that what is timed is the call as a user's code makes it:
  /// `while watch.begin() { await call(); watch.stop() }`.
  @concurrent
  func latencies(
    tasks: Int = 1,
    _ calls: @escaping @Sendable (_ task: Int, _ watch: inout Stopwatch) async -> Void
  ) async -> Latencies {
    let total = min(options.dispatches ?? .max, 20_000)
    let end = now() + UInt64(budget * (1 - Self.timedShare))
    return await withTaskGroup { group in
      for task in 0..<tasks {
        group.addTask { @concurrent () async -> [UInt64] in
          var watch = Stopwatch(count: max(1, total / tasks), until: end)
          await calls(task, &watch)
          return watch.figures
        }
      }
      var all = Latencies()
      for await figures in group { for figure in figures { all.record(figure) } }
      beat()
      return all
    }
  }
}

/// Times one call after the other, as long as there is time.
struct Stopwatch {
  /// In nanoseconds.
  private(set) var figures: [UInt64] = []
  private let count: Int
  private let end: UInt64
  private var start: UInt64 = 0

  init(count: Int, until end: UInt64) {
    self.count = count
    self.end = end
    figures.reserveCapacity(count)
  }

  /// Whether another is to be timed, which begins now; the first is in any case.
  mutating func begin() -> Bool {
    if figures.count == count || !figures.isEmpty && start > end { return false }
    start = now()
    return true
  }

  mutating func stop() {
    figures.append(now() - start)
  }
}
