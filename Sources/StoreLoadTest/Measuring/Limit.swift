/// The greatest expected value of one figure of a case.
///
/// Figures depend on the machine, so a missed limit does not break a promise. The load test only marks the case's row.
/// With `--enforce-limits`, it records a violation if the best of several measurements misses the limit.
struct Limit: Sendable {
  /// The name of the figure.
  let figure: String
  let most: Double
  /// The mark of a row that misses the limit.
  let mark: String
  /// Returns the figure, or `nil` if the case did not measure it precisely enough.
  let value: @Sendable (Figures) -> Double?

  /// A limit for the median of the ratios.
  ///
  /// Ignores cases with fewer than 1,000 operations, whose ratios vary too much.
  static func ratio(_ most: Double) -> Limit {
    Limit(figure: "ratio", most: most, mark: slower) { $0.operations >= 1_000 ? $0.ratio?.median : nil }
  }

  /// A limit for the 99.9th percentile of the latencies, as a multiple of the median.
  ///
  /// Ignores fewer than 10,000 calls, whose 99.9th percentile varies too much.
  static let steady = Limit(figure: "p99.9/p50", most: 20, mark: slower) { figures in
    guard let latencies = figures.latencies, latencies.count >= 10_000 else { return nil }
    return LatencySummary(latencies).map { Double($0.p999) / Double(max(1, $0.p50)) }
  }

  /// A limit for the longest single call, in seconds.
  static func longest(seconds most: Double) -> Limit {
    Limit(figure: "seconds of the longest call", most: most, mark: slower) { figures in
      figures.latencies.map { Double($0.max) / 1e9 }
    }
  }

  /// A limit for a number of heap bytes.
  static func bytes(_ most: Int) -> Limit {
    Limit(figure: "heap bytes", most: Double(most), mark: "larger than expected") { $0.heapBytes.map(Double.init) }
  }

  private static let slower = "slower than expected"

  /// Returns how a measurement misses the limit, or `nil` if it does not.
  func missed(by figures: Figures) -> MissedLimit? {
    guard let seen = value(figures), seen > most else { return nil }
    return MissedLimit(mark: mark, figure: figure, most: most, seen: Spread([seen]).median)
  }
}

/// A figure that exceeds its limit.
struct MissedLimit: Codable, Equatable, Sendable {
  /// "slower than expected" or "larger than expected".
  let mark: String
  let figure: String
  let most: Double
  let seen: Double

  /// The mark and the limit, for the row of the case.
  var note: String { "\(mark) (\(figure) above \(Self.text(most)))" }

  /// The expected and the measured figure.
  var explanation: String { "\(mark): \(figure): expected at most \(Self.text(most)), saw \(Self.text(seen))" }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && number < 1e15 ? "\(Int(number))" : "\(number)"
  }
}
