/// The rows as an aligned table.
struct Report {
  let rows: [Row]

  private static let headers = [
    "scenario", "operations", "ns/op", "baseline", "ratio", "(min to max)", "bytes", "violations",
  ]

  var text: String {
    let lines = [Self.headers] + rows.map(cells)
    let widths = Self.headers.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { cells in
      cells.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - cells[column].count)
        return column == 0 ? cells[column] + padding : padding + cells[column]
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private func cells(_ row: Row) -> [String] {
    [
      row.name, "\(row.operations)", whole(row.nanoseconds), whole(row.baseline),
      row.ratio.map { decimal($0.median) } ?? "-",
      row.ratio.map { "\(decimal($0.min)) to \(decimal($0.max))" } ?? "-",
      row.bytes.map { "\($0)" } ?? "-", "\(row.violations)",
    ]
  }

  private func whole(_ spread: Spread?) -> String {
    spread.map { "\(Int($0.median.rounded()))" } ?? "-"
  }

  private func decimal(_ value: Double) -> String {
    if value > 0, value < 0.05 { return "1/\(Int((1 / value).rounded()))" }
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
