/// The readable content of a value.
indirect enum DumpNode: Hashable, Sendable {
  /// The text of a value without parts.
  case leaf(String)
  case group(Group)
  /// An object, as the index of its content in the reader.
  case object(Int)

  struct Group: Hashable, Sendable {
    enum Brackets: Hashable, Sendable {
      case round, square
    }

    /// The name of a type or a case, which precedes the brackets.
    ///
    /// It is empty for collections and tuples.
    var name: String
    let brackets: Brackets
    var parts: [Part]
    /// The number of parts that are not in `parts`.
    var omitted = 0
  }

  struct Part: Hashable, Sendable {
    var label: String?
    /// The key of a dictionary entry, which becomes the label after its objects have numbers.
    var key: DumpNode?
    var node: DumpNode

    /// The lines of the part, with its label before the first line.
    func lines(width: Int) -> [String] {
      let lines = node.lines(width: width)
      guard let label, let first = lines.first else { return lines }
      return ["\(label): \(first)"] + lines.dropFirst()
    }
  }

  /// The value in a layout like Swift source code, on one line if the width allows.
  func lines(width: Int) -> [String] {
    switch self {
    case .leaf(let text):
      return text.lines
    case .object:
      return ["…"]
    case .group(let group):
      let parts = group.parts.map { $0.lines(width: width - 2) } + group.omission.map { [$0] }
      if parts.isEmpty { return [group.opening + group.closing] }
      let line = group.opening + parts.map { $0.first ?? "" }.joined(separator: ", ") + group.closing
      if parts.allSatisfy({ $0.count == 1 }), line.count <= width { return [line] }
      let body = parts.enumerated().flatMap { index, lines in
        (index == parts.count - 1 ? lines : lines.withComma).map { "  " + $0 }
      }
      return [group.opening] + body + [group.closing]
    }
  }

  /// The value on one line.
  var line: String { lines(width: .max).joined(separator: " ") }

  /// The lines of the value as an outline.
  var outline: [String] {
    switch self {
    case .leaf, .object:
      return lines(width: .max)
    case .group(let group):
      let title = group.name.isEmpty ? group.opening + group.closing : group.name
      let parts = group.parts.enumerated().flatMap { index, part in
        let lines = part.node.outline
        let head = "\(part.label ?? "\(index)"): \(lines.first ?? "")"
        return [head] + lines.dropFirst()
      }
      return [title] + (parts + group.omission).map { "  " + $0 }
    }
  }
}

extension DumpNode.Group {
  var opening: String { name + (brackets == .round ? "(" : "[") }
  var closing: String { brackets == .round ? ")" : "]" }
  var omission: [String] { omitted == 0 ? [] : ["… (\(omitted) more)"] }
}

extension [String] {
  /// The lines with a comma after the last one.
  var withComma: [String] { dropLast() + (last.map { [$0 + ","] } ?? []) }
}

extension String {
  /// The lines of the text, because a value that describes itself may produce more than one.
  fileprivate var lines: [String] {
    contains(where: \.isNewline)
      ? split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init) : [self]
  }
}
