/// How many rounds there are, and how many operations each has.
struct Rounds {
  private let dispatches: Int?
  private let usual: Int
  /// How long all of them may take, in nanoseconds.
  var budget = 0.0
  /// What an operation takes, in nanoseconds, as far as that is known.
  var cost = 0.0
  var baselineCost = 0.0

  init(_ options: Options) {
    dispatches = options.dispatches
    usual = options.isQuick ? 3 : 7
  }

  /// The operations of each round of the subject.
  func counts(atLeast least: Int, atMost most: Int) -> [Int] {
    guard let dispatches else {
      return [Int](repeating: fitting(cost, least, most), count: usual)
    }
    // No round takes so many that nothing would be heard of it for long.
    let rounds = max(min(usual, dispatches), (dispatches - 1) / min(most, 1_000_000) + 1)
    return (0..<rounds).map { dispatches / rounds + ($0 < dispatches % rounds ? 1 : 0) }
  }

  /// The operations of a round of the baseline, beside one of the subject with `count`.
  ///
  /// As many, unless it costs so much more, or less, that they would take all of the time, or none.
  func baselineCount(beside count: Int, atLeast least: Int, atMost most: Int) -> Int {
    if baselineCost <= 0 { return count }
    if dispatches != nil { return max(1, min(count, Int(1e9 / baselineCost))) }
    return (0.1...10).contains(baselineCost / max(cost, 1)) ? count : fitting(baselineCost, least, most)
  }

  private func fitting(_ cost: Double, _ least: Int, _ most: Int) -> Int {
    // Half of a round for each of the two, and a second at most.
    let time = min(budget / Double(usual) / 2, 1e9)
    return max(least, min(most, Int(time / max(cost, 1))))
  }
}
