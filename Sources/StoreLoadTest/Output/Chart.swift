/// An HTML chart with rows of bars on one logarithmic scale.
///
/// Labels are text of the page, so they keep their size on a narrow page. Only the bars are SVG, and they stretch.
struct Chart {
  struct Bar {
    let from: Double
    let to: Double
    let style: String

    init(from: Double, to: Double, style: String) {
      (self.from, self.to, self.style) = (from, to, style)
    }

    /// Creates a mark at one figure.
    init(at figure: Double, style: String) {
      self.init(from: figure, to: figure, style: style)
    }
  }

  struct Row {
    let group: String
    let label: String
    let note: String
    let value: String
    let detail: String
    let bars: [Bar]
  }

  let scale: LogarithmicScale
  /// A figure that a line marks in all rows.
  let mark: Double?
  let label: (Double) -> String

  private static let width = 1_000.0
  private static let height = 20

  func html(_ rows: [Row]) -> String {
    var lines = ["<div class=\"chart\">", axis]
    var group: String?
    for row in rows {
      if row.group != group { lines.append("<h3>\(HTMLPage.escaped(row.group))</h3>") }
      group = row.group
      lines.append(html(row))
    }
    return (lines + [axis, "</div>"]).joined(separator: "\n")
  }

  private var axis: String {
    // Limits the labels to a number that fits on a narrow page.
    let ticks = scale.ticks
    let step = max(1, (ticks.count + 4) / 5)
    let labels = ticks.indices.filter { $0 % step == 0 }.map { index in
      let position = Numbers.decimal(scale.position(of: ticks[index]) * 100, places: 1)
      // Keeps the first and the last label inside the chart.
      let shift = index == 0 ? 0 : index == ticks.count - 1 ? -100 : -50
      let style = "left:\(position)%;transform:translateX(\(shift)%)"
      return "<span style=\"\(style)\">\(HTMLPage.escaped(label(ticks[index])))</span>"
    }
    return "<div class=\"row axis\"><div></div><div class=\"ticks\">\(labels.joined())</div><div></div></div>"
  }

  private func html(_ row: Row) -> String {
    let title = HTMLPage.escaped("\(row.group): \(row.label): \(row.value) (\(row.detail))")
    let note = row.note.isEmpty ? "" : " <small>\(HTMLPage.escaped(row.note))</small>"
    return """
      <div class="row"><div class="label">\(HTMLPage.escaped(row.label))\(note)</div>\
      <svg viewBox="0 0 \(Int(Self.width)) \(Self.height)" preserveAspectRatio="none" role="img" aria-label="\(title)">\
      <title>\(title)</title>\(grid)\(row.bars.map(html).joined())</svg>\
      <div class="value">\(HTMLPage.escaped(row.value)) <small>\(HTMLPage.escaped(row.detail))</small></div></div>
      """
  }

  private var grid: String {
    let ticks = scale.ticks.map { rectangle(scale.position(of: $0) * Self.width, 1, inset: 0, "grid") }.joined()
    return ticks + (mark.map { rectangle(scale.position(of: $0) * Self.width - 1, 3, inset: 0, "mark") } ?? "")
  }

  private func html(_ bar: Bar) -> String {
    let (left, right) = (scale.position(of: bar.from) * Self.width, scale.position(of: bar.to) * Self.width)
    // A mark is taller than a bar, and no bar is too thin to see.
    if bar.from == bar.to { return rectangle(left - 5, 10, inset: 2, bar.style) }
    return rectangle(left, max(2, right - left), inset: 6, bar.style)
  }

  private func rectangle(_ left: Double, _ width: Double, inset: Int, _ style: String) -> String {
    let (x, w) = (Numbers.decimal(left, places: 1), Numbers.decimal(width, places: 1))
    return "<rect x=\"\(x)\" y=\"\(inset)\" width=\"\(w)\" height=\"\(Self.height - 2 * inset)\" class=\"\(style)\"/>"
  }
}
