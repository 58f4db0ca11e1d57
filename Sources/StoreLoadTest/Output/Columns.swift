/// Columns of fixed widths, for lines that are printed before later cases are known.
struct Columns {
  private let widths: [Int]

  static let plain = Columns(widths: [-54, 10, 10, 10, 7, 15, 10, 10, 10, 10, 10, 10])

  /// The headings of all columns except the first, which names the case.
  static let names = [
    "operations", "per op", "baseline", "ratio", "(min to max)", "p50", "p99", "p99.9", "max", "memory",
    "violations",
  ]

  var headings: String { line(["case"] + Self.names) }

  func line(_ result: CaseResult) -> String {
    line(["\(result.name): \(result.case)"] + Self.cells(result)) + (result.missedLimit.map { "  \($0.note)" } ?? "")
  }

  static func cells(_ result: CaseResult) -> [String] {
    let latency = result.latencyNanoseconds
    return [
      "\(result.operations)", result.nanosecondsPerOperation.map { Numbers.time($0.median) },
      result.baseline.map { Numbers.time($0.nanosecondsPerOperation.median) },
      result.ratio.map { Numbers.ratio($0.median) },
      result.ratio.map { "\(Numbers.ratio($0.min)) to \(Numbers.ratio($0.max))" },
      latency.map { Numbers.time(Double($0.p50)) }, latency.map { Numbers.time(Double($0.p99)) },
      latency.map { Numbers.time(Double($0.p999)) }, latency.map { Numbers.time(Double($0.max)) },
      (result.heapBytes ?? result.peakMemoryBytes).map(Numbers.bytes), "\(result.violations)",
    ].map { $0 ?? "-" }
  }

  private func line(_ cells: [String]) -> String {
    zip(cells, widths).map { cell, width in
      let padding = String(repeating: " ", count: max(0, abs(width) - cell.count))
      return width < 0 ? cell + padding : padding + cell
    }.joined(separator: " ")
  }
}
