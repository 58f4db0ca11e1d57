#if os(Linux)
  import ActorStoreTesting

  /// The check of a recorded history, which takes time proportional to the length of the history.
  ///
  /// Compares a history of 100,000 operations with a hundred histories of 1,000.
  enum Checking {
    static let scenario = Scenario(
      name: "checking", summary: "the check of a recorded history of 100000 operations", sizes: [.dispatches]
    ) {
      _ in
      // A check that compares every pair of operations would take a hundred times as long per operation.
      [Case(name: "a history of 100000 operations", limit: .ratio(20), run: run)]
    }

    @Sendable private static func run(_ bench: Bench) async -> Figures {
      let short = history(1_000)
      bench.beat()
      let long = history(100_000)
      bench.beat()
      var figures: [(long: Double, short: Double)] = []
      while bench.goesOn(after: figures.count * 100_000) {
        let hundred = await nanoseconds { for _ in 0..<100 where short.violation() != nil { return } }
        bench.beat()
        let one = await nanoseconds { bench.expect("violation found", long.violation(), nil) }
        bench.beat()
        figures.append((one / 100_000, hundred / 100_000))
      }
      return Figures(
        operations: figures.count * 100_000, nanoseconds: Spread(figures.map(\.long)),
        baseline: .init(name: "100 histories of 1000", nanosecondsPerOperation: Spread(figures.map(\.short))),
        ratio: Spread(figures.map { $0.long / $0.short }))
    }

    /// Records eight concurrent calls at a time, and after each eight, an observation by one of two observers.
    private static func history(_ count: Int) -> WitnessedHistory<Int> {
      let recorder = HistoryRecorder<Int>()
      var log = OrderLog<Int>()
      for first in stride(from: 0, to: count, by: 8) {
        let ids = first..<min(count, first + 8)
        let calls = ids.map { recorder.called($0) }
        for id in ids.reversed() { log.append(id) }
        for call in calls { recorder.returned(call, .applied) }
        recorder.observed(log.prefix, by: first / 8 % 2)
      }
      return recorder.history(applied: log.entries)
    }
  }
#endif
