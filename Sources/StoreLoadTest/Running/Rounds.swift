/// The number of rounds, and the number of operations in each.
struct Rounds {
  private let dispatches: Int?
  private let usual: Int
  /// The time for all rounds, in nanoseconds.
  var budget = 0.0
  /// The time of one operation of the subject, in nanoseconds, or 0 if it is unknown.
  var cost = 0.0
  /// The time of one operation of the baseline, in nanoseconds, or 0 if it is unknown.
  var baselineCost = 0.0

  init(_ options: Options) {
    dispatches = options.dispatches
    usual = options.isQuick ? 3 : 7
  }

  /// Returns the number of operations in each round of the subject.
  func counts(atLeast least: Int, atMost most: Int) -> [Int] {
    guard let dispatches else {
      return [Int](repeating: fitting(cost, least, most), count: usual)
    }
    // Limits the size of a round, because most rounds report progress only when they end.
    let rounds = max(min(usual, dispatches), (dispatches - 1) / min(most, 1_000_000) + 1)
    return (0..<rounds).map { dispatches / rounds + ($0 < dispatches % rounds ? 1 : 0) }
  }

  /// Returns the number of operations in a round of the baseline, for a round of the subject with `count` operations.
  ///
  /// The numbers are equal unless the baseline costs so much more, or less, that its round would take too long or too
  /// little time.
  func baselineCount(beside count: Int, atLeast least: Int, atMost most: Int) -> Int {
    if baselineCost <= 0 { return count }
    if dispatches != nil { return max(1, min(count, Int(1e9 / baselineCost))) }
    return (0.1...10).contains(baselineCost / max(cost, 1)) ? count : fitting(baselineCost, least, most)
  }

  private func fitting(_ cost: Double, _ least: Int, _ most: Int) -> Int {
    // The subject and its baseline each get half of a round, but at most one second.
    let time = min(budget / Double(usual) / 2, 1e9)
    return max(least, min(most, Int(time / max(cost, 1))))
  }
}
