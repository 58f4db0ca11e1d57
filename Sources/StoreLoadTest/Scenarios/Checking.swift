#if os(Linux)
  import ActorStoreTesting

  /// The check of a recorded history takes time in proportion to its length: 100,000 operations beside a hundred histories
  /// of 1,000.
  enum Checking {
    static let all = [Scenario(name: name, run: run)]

    private static let name = "check a history of 100,000"

    @Sendable private static func run(_ context: Context) async -> Row {
      let short = history(1_000)
      let long = history(100_000)
      context.watch { name }
      let figures = await compare(rounds: 5, operations: 100_000) {
        for _ in 0..<100 where short.violation() != nil { return }
        context.beat()
      } subject: {
        _ = long.violation()
        context.beat()
      }
      // A check that compared every operation with every other would cost a hundred times as much.
      return Row(
        name: name, operations: 500_000, nanoseconds: figures.nanoseconds, baseline: figures.baseline,
        ratio: figures.ratio,
        violations: context.expect("\(name), what it found", long.violation(), nil)
          + context.expect("\(name), cost grows with the length", figures.ratio.median > 20, false))
    }

    /// Eight callers at a time, and two observers who look now and then.
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
