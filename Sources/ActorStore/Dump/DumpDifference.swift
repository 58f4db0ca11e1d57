/// Where two values differ.
indirect enum DumpDifference: Sendable {
  /// The one in the place of the other; nil where there is none.
  case replaced(DumpNode.Part?, DumpNode.Part?)
  /// Some parts of the same whole.
  case inside(label: String?, name: String, DumpNode.Group.Brackets, [Change])
  /// Not equal, though what can be read of them is.
  case unseen(DumpNode.Part)

  enum Change: Sendable {
    case unchanged(Int)
    /// So many elements more, which nobody has looked at: enough differ.
    case notCompared(Int)
    case changed(DumpDifference)
  }

  /// Each with a mark before it: `-` gone, `+` new, none for what they are part of.
  var lines: [String] { marked().map { "\($0.mark) \($0.text)" } }

  private typealias Line = (mark: Character, text: String)

  private func marked(comma: Bool = false) -> [Line] {
    switch self {
    case .replaced(let old, let new):
      let gone = old.map { lines(of: $0, comma) } ?? []
      let come = new.map { lines(of: $0, comma) } ?? []
      return gone.map { ("-", $0) } + come.map { ("+", $0) }
    case .unseen(let part):
      let lines = lines(of: part, false)
      return lines.map { (" ", $0) } + [("!", "not equal, though they look the same")]
    case .inside(let label, let name, let brackets, let changes):
      let group = DumpNode.Group(name: name, brackets: brackets, parts: [])
      let opening = (label.map { "\($0): " } ?? "") + group.opening
      let body = changes.enumerated().flatMap { index, change -> [Line] in
        switch change {
        case .unchanged(let count): [(" ", "… (\(count) unchanged)")]
        case .notCompared(let count): [(" ", "… (\(count) not compared)")]
        case .changed(let difference): difference.marked(comma: index < changes.count - 1)
        }
      }
      return [(" ", opening)] + body.map { ($0.mark, "  " + $0.text) } + [(" ", group.closing + (comma ? "," : ""))]
    }
  }

  private func lines(of part: DumpNode.Part, _ comma: Bool) -> [String] {
    let lines = part.lines(width: Dump.lineWidth)
    return comma ? lines.withComma : lines
  }
}
