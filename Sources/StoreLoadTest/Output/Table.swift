/// The results as an aligned table, with a block for each scenario and bars for the latencies.
///
/// A narrow table leaves out columns.
struct Table {
  private struct Column {
    let name: String
    var isLeft = false
    /// The rank in which a narrow table leaves out columns, highest first, or 0 if it always keeps the column.
    var dispensable = 0
    let cell: (CaseResult) -> String?
  }

  private let results: [CaseResult]
  private let width: Int

  init(_ results: [CaseResult], width: Int) {
    self.results = results
    self.width = width
  }

  var text: String {
    if results.isEmpty { return "nothing was measured" }
    var columns = self.columns
    var widths = self.widths(columns)
    while widths.reduce(0, { $0 + $1 + 2 }) > width,
      let index = columns.indices.max(by: { columns[$0].dispensable < columns[$1].dispensable }),
      columns[index].dispensable > 0
    {
      columns.remove(at: index)
      widths = self.widths(columns)
    }
    var lines = [line(columns.map(\.name), columns, widths)]
    var scenario: String?
    for result in results {
      if result.name != scenario { lines += ["", result.name] }
      scenario = result.name
      lines.append(line(columns.map { $0.cell(result) ?? "-" }, columns, widths))
    }
    if !columns.contains(where: { $0.name == Self.limit }) { lines += limitLines }
    if scale != nil {
      // Bars that do not fit beside the other columns get lines of their own.
      if !columns.contains(where: { $0.name == Self.bars }) { lines += ["", "latency"] + barLines }
      lines += ["", legend]
    }
    return lines.joined(separator: "\n")
  }

  private var barLines: [String] {
    let measured = results.filter { $0.latencyNanoseconds != nil }
    let names = measured.map { "  \($0.name): \($0.case)" }
    let longest = names.map(\.count).max() ?? 0
    return zip(names, measured).map { name, result in
      name + String(repeating: " ", count: longest - name.count) + "  " + (bar(result) ?? "")
    }
  }

  private func line(_ cells: [String], _ columns: [Column], _ widths: [Int]) -> String {
    let padded = zip(zip(cells, columns), widths).map { cell, width in
      let padding = String(repeating: " ", count: max(0, width - cell.0.count))
      return cell.1.isLeft ? cell.0 + padding : padding + cell.0
    }.joined(separator: "  ")
    return String(padded.reversed().drop { $0 == " " }.reversed())
  }

  private func widths(_ columns: [Column]) -> [Int] {
    columns.map { column in max(column.name.count, results.map { (column.cell($0) ?? "-").count }.max() ?? 0) }
  }

  private var columns: [Column] {
    [
      Column(name: "", isLeft: true) { "  \($0.case)" },
      Column(name: "per op") { $0.nanosecondsPerOperation.map { Numbers.time($0.median) } },
      Column(name: "ratio") { $0.ratio.map { Numbers.ratio($0.median) } },
      Column(name: "min to max", dispensable: 4) {
        $0.ratio.map { "\(Numbers.ratio($0.min)) to \(Numbers.ratio($0.max))" }
      },
      Column(name: "to", isLeft: true, dispensable: 5) { result in
        result.baseline.map { "\($0.name), \(Numbers.time($0.nanosecondsPerOperation.median))" }
      },
      Column(name: "p50", dispensable: 6) { $0.latencyNanoseconds.map { Numbers.time(Double($0.p50)) } },
      Column(name: "p99", dispensable: 8) { $0.latencyNanoseconds.map { Numbers.time(Double($0.p99)) } },
      Column(name: "p99.9", dispensable: 7) { $0.latencyNanoseconds.map { Numbers.time(Double($0.p999)) } },
      Column(name: "max", dispensable: 9) { $0.latencyNanoseconds.map { Numbers.time(Double($0.max)) } },
      Column(name: Self.bars, isLeft: true, dispensable: 3) { bar($0) ?? "" },
      Column(name: "memory", dispensable: 10) { ($0.heapBytes ?? $0.peakMemoryBytes).map(Numbers.bytes) },
      Column(name: "operations", dispensable: 11) { "\($0.operations)" },
    ] + (results.contains { $0.violations > 0 } ? [violations] : [])
      + (results.contains { $0.missedLimit != nil } ? [limit] : [])
  }

  private var violations: Column {
    Column(name: "violations", dispensable: 1) { $0.violations == 0 ? "" : "\($0.violations)" }
  }

  // MARK: Limits

  private static let limit = "limit"

  private var limit: Column {
    Column(name: Self.limit, isLeft: true, dispensable: 2) { $0.missedLimit?.note ?? "" }
  }

  private var limitLines: [String] {
    let missed = results.compactMap { result in
      result.missedLimit.map { "  \(result.name): \(result.case): \($0.note)" }
    }
    return missed.isEmpty ? [] : ["", Self.limit] + missed
  }

  // MARK: Bars

  private static let bars = "latency"
  private static let barWidth = 24

  private var legend: String {
    "█ p50  ▓ p99  ▒ p99.9  ░ max, logarithmic, up to \(Numbers.withoutZeros(Numbers.time(scale?.greatest ?? 0)))"
  }

  private var scale: LogarithmicScale? {
    LogarithmicScale(results.compactMap(\.latencyNanoseconds).flatMap { [Double($0.p50), Double($0.max)] })
  }

  private func bar(_ result: CaseResult) -> String? {
    guard let latency = result.latencyNanoseconds, let scale else { return nil }
    var bar = ""
    for (value, mark) in [(latency.p50, "█"), (latency.p99, "▓"), (latency.p999, "▒"), (latency.max, "░")] {
      let length = max(1, Int((scale.position(of: Double(value)) * Double(Self.barWidth)).rounded()))
      bar += String(repeating: mark, count: max(0, length - bar.count))
    }
    return bar
  }
}
