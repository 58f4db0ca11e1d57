/// A timeline as text, with a column for each task and a line for each event.
///
/// ```
/// step  0 1 2
///    1  ●      starts task 1
///    2  │ ●    dispatches Increment to Store<Counter>: has the turn
/// ```
struct Lanes: CustomStringConvertible {
  let lines: [Recording.Line]
  let count: Int
  /// The maximum number of lines.
  ///
  /// A longer text omits lines in the middle.
  var maxLines = 120

  var description: String {
    let numbers = (0..<count).map { "\($0)" }
    let width = (numbers.last?.count ?? 1) + 1
    let header = "step  " + numbers.map { $0.padded(to: width) }.joined()
    var rows = [header]
    var lastStep = -1
    for (index, line) in lines.enumerated() {
      if lines.count > maxLines && index == maxLines / 2 {
        rows.append("      … \(lines.count - maxLines) lines …")
      }
      if lines.count > maxLines && index >= maxLines / 2 && index < lines.count - maxLines / 2 { continue }
      let step = line.step == lastStep ? "" : "\(line.step)"
      lastStep = line.step
      let columns = (0..<count).map { ($0 == line.lane ? "●" : "│").padded(to: width) }.joined()
      rows.append(step.paddedLeft(to: 4) + "  " + columns + " " + line.text)
    }
    return rows.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
