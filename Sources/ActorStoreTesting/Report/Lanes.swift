/// A timeline as text, with a column for each task and a line for each event.
///
/// ```
/// step  0 1 2
///    1  ●      starts task 1
///    2  │ ●    dispatches Increment to Store<Counter>: has the turn
/// ```
///
/// Repeated lines are folded (`FoldedLines`). If the text shows too many tasks, each line has the number of its task
/// instead of the columns.
///
/// ```
/// step  task
///    1     0  starts task 1
///    2     1  dispatches Increment to Store<Counter>: has the turn
/// ```
struct Lanes: CustomStringConvertible {
  private let rows: [FoldedLines.Row]
  private let count: Int
  /// The maximum number of rows.
  ///
  /// A longer text omits rows in the middle.
  private let maxRows: Int
  /// The maximum number of columns.
  ///
  /// If there are more tasks, the text shows only those that have a line in it.
  private let maxColumns = 16

  init(lines: [Recording.Line], count: Int, maxRows: Int = 120) {
    rows = FoldedLines(lines).rows
    self.count = count
    self.maxRows = maxRows
  }

  /// The lanes of the tasks that the text shows.
  var shown: [Int] {
    if count <= maxColumns { return Array(0..<count) }
    return Set((firstRows + lastRows).compactMap { if case .line(let line) = $0 { line.lane } else { nil } }).sorted()
  }

  var description: String {
    let lanes = shown
    let hasColumns = lanes.count <= maxColumns
    let width = (lanes.last.map { "\($0)".count } ?? 1) + 1
    var text = ["step  " + (hasColumns ? lanes.map { "\($0)".padded(to: width) }.joined() : "task")]
    var lastStep = -1
    func add(_ line: Recording.Line) {
      let step = line.step == lastStep ? "" : "\(line.step)"
      lastStep = line.step
      let task =
        hasColumns
        ? lanes.map { ($0 == line.lane ? "●" : "│").padded(to: width) }.joined()
        : (line.lane.map { "\($0)" } ?? "").paddedLeft(to: 4) + " "
      let parts = line.text.split(separator: "\n", maxSplits: 1)
      text.append(
        step.paddedLeft(to: 4) + "  " + task + " " + (parts.first ?? "") + (parts.count > 1 ? " …" : ""))
    }
    func add(_ row: FoldedLines.Row) {
      switch row {
      case .line(let line): add(line)
      case .repetition(let lines, let times, let step):
        let what = lines == 1 ? "the line above repeats" : "the \(lines) lines above repeat"
        text.append("      … \(what) \(times) more \(times == 1 ? "time" : "times"), until step \(step) …")
        lastStep = -1
      }
    }
    firstRows.forEach(add)
    if isTruncated { text.append("      … \(rows.count - maxRows) lines …") }
    lastRows.forEach(add)
    return text.joined(separator: "\n")
  }

  private var isTruncated: Bool { rows.count > maxRows }

  private var firstRows: ArraySlice<FoldedLines.Row> { isTruncated ? rows.prefix(maxRows / 2) : rows[...] }

  /// The rows after those that the text omits.
  private var lastRows: ArraySlice<FoldedLines.Row> { isTruncated ? rows.suffix(maxRows / 2) : [] }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
