/// A timeline as text, with a column for each task and a line for each event.
///
/// ```
/// step  0 1 2
///    1  ●      starts task 1
///    2  │ ●    dispatches Increment to Store<Counter>: has the turn
/// ```
///
/// If it shows too many tasks, a line has the number of its task instead.
///
/// ```
/// step  task
///    1     0  starts task 1
///    2     1  dispatches Increment to Store<Counter>: has the turn
/// ```
struct Lanes: CustomStringConvertible {
  let lines: [Recording.Line]
  let count: Int
  /// The maximum number of lines.
  ///
  /// A longer text omits lines in the middle.
  var maxLines = 120
  /// The maximum number of columns.
  ///
  /// If there are more tasks, the text shows only those that have a line in it.
  var maxColumns = 16

  /// The lanes of the tasks that the text shows.
  var shown: [Int] {
    count <= maxColumns ? Array(0..<count) : Set((firstLines + lastLines).compactMap(\.lane)).sorted()
  }

  var description: String {
    let lanes = shown
    let hasColumns = lanes.count <= maxColumns
    let width = (lanes.last.map { "\($0)".count } ?? 1) + 1
    var rows = ["step  " + (hasColumns ? lanes.map { "\($0)".padded(to: width) }.joined() : "task")]
    var lastStep = -1
    func add(_ line: Recording.Line) {
      let step = line.step == lastStep ? "" : "\(line.step)"
      lastStep = line.step
      let task =
        hasColumns
        ? lanes.map { ($0 == line.lane ? "●" : "│").padded(to: width) }.joined()
        : (line.lane.map { "\($0)" } ?? "").paddedLeft(to: 4) + " "
      let parts = line.text.split(separator: "\n", maxSplits: 1)
      let text = (parts.first ?? "") + (parts.count > 1 ? " …" : "")
      rows.append(step.paddedLeft(to: 4) + "  " + task + " " + text)
    }
    firstLines.forEach(add)
    if isTruncated { rows.append("      … \(lines.count - maxLines) lines …") }
    lastLines.forEach(add)
    return rows.joined(separator: "\n")
  }

  private var isTruncated: Bool { lines.count > maxLines }

  private var firstLines: ArraySlice<Recording.Line> { isTruncated ? lines.prefix(maxLines / 2) : lines[...] }

  /// The lines after those that the text omits.
  private var lastLines: ArraySlice<Recording.Line> { isTruncated ? lines.suffix(maxLines / 2) : [] }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
