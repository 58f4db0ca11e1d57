/// The timing of a subject, usually in alternation with a baseline.
extension Bench {
  /// Performs a number of operations, and returns their total time in nanoseconds, without setup.
  typealias Timed = @Sendable (_ operations: Int) async -> Double

  /// Times a subject and its baseline in alternation, so that both run under similar conditions.
  ///
  /// The main figure is the median of the ratios of all pairs. Calibration determines the number of operations in each
  /// round, so that all rounds together take about the case's time. With `--dispatches`, that option determines the
  /// number.
  func compare(
    to name: String,
    atLeast least: Int = 1,
    atMost most: Int = .max,
    baseline: Timed,
    subject: Timed
  ) async -> Figures {
    var rounds = Rounds(options)
    // The first calibration warms up. The second, if there is time for it, is more accurate.
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

  /// Times a subject that has no baseline.
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

  /// The share of the budget for calibration and rounds.
  ///
  /// The rest is for latencies.
  private static let timedShare = 0.75

  /// The time for rounds after the calibration, which is at least a fifth of the budget.
  private var timeLeft: Double { max(budget * 0.2, budget * Self.timedShare - elapsed) }

  /// Returns the time of one more operation, including its untimed parts, but without setup.
  ///
  /// Increases the number of operations until they take a few milliseconds longer than the first round, or less if the
  /// budget is small.
  private func cost(_ least: Int, _ most: Int, _ subject: Timed) async -> Double {
    // Calibration must not add many operations to a requested number.
    let most = min(most, options.dispatches.map { max(least, $0 / 4) } ?? most)
    let enough = min(3e6, budget / 50)
    let first = await wholeTime(least, subject)
    var count = least
    while count < most {
      // A long first round can be due to its setup or to its operations, so the number grows more slowly then.
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

  /// Times up to about 20,000 single calls from concurrent tasks, for at most a quarter of the budget.
  ///
  /// `calls` contains the loop, so that the timed code is the call as a user writes it:
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

/// Times consecutive calls, up to a number of calls or an end time.
struct Stopwatch {
  /// The times of the calls, in nanoseconds.
  private(set) var figures: [UInt64] = []
  private let count: Int
  private let end: UInt64
  private var start: UInt64 = 0

  init(count: Int, until end: UInt64) {
    self.count = count
    self.end = end
    figures.reserveCapacity(count)
  }

  /// Starts to time the next call, or returns `false` if the number of calls or the end time is reached.
  ///
  /// The first call is timed in any case.
  mutating func begin() -> Bool {
    if figures.count == count || !figures.isEmpty && start > end { return false }
    start = now()
    return true
  }

  mutating func stop() {
    figures.append(now() - start)
  }
}
