/// The results as an HTML page, which needs no network and no scripts.
///
/// The page contains SVG charts, and has a light and a dark appearance.
struct HTMLPage {
  private let report: Report

  init(_ report: Report) {
    self.report = report
  }

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>StoreLoadTest</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <header>
    <h1>StoreLoadTest</h1>
    <p>\(Self.escaped(report.heading))</p>
    <p class="\(report.isGood ? "good" : "bad")">\(Self.escaped(report.conclusion))</p>
    \(isDebug ? "<p class=\"bad\">\(Self.escaped(JSONPrinter.debugNote))</p>" : "")
    </header>
    \(ratios)
    \(latencies)
    \(table)
    </body>
    </html>

    """
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
  }

  // MARK: Charts

  private var ratios: String {
    let measured = report.scenarios.filter { $0.ratio != nil }
    let bounds: [Double] = measured.compactMap(\.ratio).reduce(into: [1]) { $0 += [$1.min, $1.max] }
    guard !measured.isEmpty, let scale = LogarithmicScale(bounds) else { return "" }
    let chart = Chart(scale: scale, mark: 1) { Numbers.withoutZeros(Numbers.ratio($0)) }
    let rows = measured.map { result -> Chart.Row in
      let ratio = result.ratio ?? Spread([])
      let range = "\(Numbers.ratio(ratio.min)) to \(Numbers.ratio(ratio.max))"
      return Chart.Row(
        group: result.name, label: result.case,
        note: [result.baseline.map { "to \($0.name)" }, result.missedLimit?.note].compactMap { $0 }
          .joined(separator: ", "),
        value: Numbers.ratio(ratio.median), detail: range,
        bars: [
          .init(from: ratio.min, to: ratio.max, style: "range"),
          .init(at: ratio.median, style: ratio.median > 1 ? "slower" : "faster"),
        ])
    }
    return """
      <section>
      <h2>Ratio to the baseline</h2>
      <p>A mark shows the median of all rounds. A bar shows the range from the minimum to the maximum. The vertical line
      is the baseline, and figures to the left of it are faster. The scale is logarithmic.</p>
      \(chart.html(rows))
      </section>
      """
  }

  private var latencies: String {
    let measured = report.scenarios.filter { $0.latencyNanoseconds != nil }
    let bounds = measured.compactMap(\.latencyNanoseconds).flatMap { [Double($0.p50), Double($0.max)] }
    guard !measured.isEmpty, let scale = LogarithmicScale(bounds) else { return "" }
    let chart = Chart(scale: scale, mark: nil) { Numbers.withoutZeros(Numbers.time($0)) }
    let rows = measured.compactMap { result -> Chart.Row? in
      guard let latency = result.latencyNanoseconds else { return nil }
      let figures = [latency.p50, latency.p99, latency.p999, latency.max].map { Double($0) }
      return Chart.Row(
        group: result.name, label: result.case, note: "", value: Numbers.time(figures[0]),
        detail: figures.dropFirst().map(Numbers.time).joined(separator: ", "),
        bars: [
          .init(from: scale.least, to: figures[0], style: "p50"), .init(from: figures[0], to: figures[1], style: "p99"),
          .init(from: figures[1], to: figures[2], style: "p999"), .init(from: figures[2], to: figures[3], style: "max"),
        ])
    }
    return """
      <section>
      <h2>Latency of one call</h2>
      <p>Each bar shows the <span class="key p50"></span> median, the <span class="key p99"></span> 99th and
      <span class="key p999"></span> 99.9th percentiles, and the <span class="key max"></span> maximum. The scale is
      logarithmic. Each latency includes the time to read the clock.</p>
      \(chart.html(rows))
      </section>
      """
  }

  // MARK: Table

  private var table: String {
    let rows = report.scenarios.map { result in
      let cells = Columns.cells(result).map { "<td>\(Self.escaped($0))</td>" }.joined()
      let note = result.missedLimit.map { " <span class=\"bad\">\(Self.escaped($0.note))</span>" } ?? ""
      return "<tr><th scope=\"row\">\(Self.escaped("\(result.name): \(result.case)"))\(note)</th>\(cells)</tr>"
    }
    let headings = ([""] + Columns.names).map { "<th scope=\"col\">\(Self.escaped($0))</th>" }.joined()
    return """
      <section>
      <h2>All figures</h2>
      <div class="scroll"><table>
      <thead><tr>\(headings)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table></div>
      </section>
      """
  }
}
