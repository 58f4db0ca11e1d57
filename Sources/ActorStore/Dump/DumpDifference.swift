/// A difference between two values.
indirect enum DumpDifference: Sendable {
  /// The second part replaces the first.
  ///
  /// The first is `nil` if the second was added. The second is `nil` if the first was removed.
  case replaced(DumpNode.Part?, DumpNode.Part?)
  /// Some parts inside the values differ.
  case inside(label: String?, name: String, DumpNode.Group.Brackets, [Change])
  /// The readable content of the values is the same, but the values may differ.
  case unseen(DumpNode.Part, Doubt)

  enum Doubt: String, Sendable {
    /// The values are not equal according to their own `==`.
    case notEqual = "not equal"
    /// The values contain functions, hidden parts, or more levels than the limit.
    case notCompared = "not compared"
  }

  enum Change: Sendable {
    case unchanged(Int)
    /// The number of remaining elements, which were not compared because enough others differ.
    case notCompared(Int)
    /// The number of remaining elements, which also differ.
    case omitted(Int)
    /// The comparison has ended at the limit of parts.
    case more
    case changed(DumpDifference)
  }

  /// The lines of the difference, each after a mark and a space.
  ///
  /// The mark is `-` for a removed line, `+` for a new line, `!` for a note, and a space for the surrounding values.
  var lines: [String] { marked().map { "\($0.mark) \($0.text)" } }

  private typealias Line = (mark: Character, text: String)

  private func marked(comma: Bool = false) -> [Line] {
    switch self {
    case .replaced(let old, let new):
      let gone = old.map { lines(of: $0, comma) } ?? []
      let come = new.map { lines(of: $0, comma) } ?? []
      return gone.map { ("-", $0) } + come.map { ("+", $0) }
    case .unseen(let part, let doubt):
      let lines = lines(of: part, false)
      return lines.map { (" ", $0) } + [("!", "\(doubt.rawValue), though they look the same")]
    case .inside(let label, let name, let brackets, let changes):
      let group = DumpNode.Group(name: name, brackets: brackets, parts: [])
      let opening = (label.map { "\($0): " } ?? "") + group.opening
      let body = changes.enumerated().flatMap { index, change -> [Line] in
        switch change {
        case .unchanged(let count): [(" ", "… (\(count) unchanged)")]
        case .notCompared(let count): [(" ", "… (\(count) not compared)")]
        case .omitted(let count): [(" ", "… (\(count) more changed)")]
        case .more: [(" ", "… (and more)")]
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
