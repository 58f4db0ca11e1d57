import Foundation

/// A logarithmic scale that begins and ends with a power of ten.
struct LogarithmicScale {
  let least: Double
  let greatest: Double

  /// Creates a scale for the positive figures, or returns `nil` if there are none.
  init?(_ figures: [Double]) {
    let positive = figures.filter { $0 > 0 && $0.isFinite }
    guard let least = positive.min(), let greatest = positive.max() else { return nil }
    let exponents = (low: floor(log10(least)), high: ceil(log10(greatest)))
    self.least = pow(10, exponents.low)
    self.greatest = pow(10, max(exponents.high, exponents.low + 1))
  }

  /// Returns the position of a figure, from 0 to 1.
  func position(of figure: Double) -> Double {
    guard figure > 0 else { return 0 }
    return min(1, max(0, log10(figure / least) / log10(greatest / least)))
  }

  /// The powers of ten on the scale, in ascending order.
  var ticks: [Double] {
    let (low, high) = (Int(log10(least).rounded()), Int(log10(greatest).rounded()))
    return (low...high).map { pow(10, Double($0)) }
  }
}
