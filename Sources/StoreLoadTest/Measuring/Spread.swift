import Foundation

/// The minimum, median, and maximum of some figures.
struct Spread: Codable, Equatable, Sendable {
  let min: Double
  let median: Double
  let max: Double

  init(_ figures: [Double]) {
    let sorted = figures.sorted()
    min = Self.rounded(sorted.first ?? 0)
    median = Self.rounded(sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
    max = Self.rounded(sorted.last ?? 0)
  }

  /// Rounds a figure to six significant digits, because more carry no information.
  private static func rounded(_ figure: Double) -> Double {
    guard figure != 0, figure.isFinite else { return figure }
    let factor = pow(10, 5 - floor(log10(figure.magnitude)))
    return (figure * factor).rounded() / factor
  }
}
