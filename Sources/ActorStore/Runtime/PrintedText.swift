/// Texts to print, in which names, descriptions, and reasons of others cannot control a terminal or add lines.
extension String {
  /// The text, in which an escape sequence such as `\u{1B}` replaces each control character except for newlines.
  package var printable: String { isPlain(newlines: true) ? self : escaped(keepsNewlines: true) }

  /// The printable text on one line, in which a space replaces each newline and the spaces that indent a line.
  ///
  /// In a difference, a mark may precede these spaces.
  package var onOneLine: String {
    if isPlain(newlines: false) { return self }
    if !contains(where: \.isNewline) { return escaped(keepsNewlines: false) }
    let lines = split(whereSeparator: \.isNewline).map { line -> String in
      let text = line.drop { $0 == " " }
      guard let mark = line.first, "+-!".contains(mark) else { return String(text) }
      return "\(mark) \(line.dropFirst().drop { $0 == " " })"
    }
    return lines.joined(separator: " ").escaped(keepsNewlines: false)
  }

  /// Whether the text contains only printable ASCII characters, which is known without decoding it.
  private func isPlain(newlines: Bool) -> Bool {
    utf8.allSatisfy { 0x20..<0x7F ~= $0 || newlines && $0 == 0x0A }
  }

  private func escaped(keepsNewlines: Bool) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isControl && !(keepsNewlines && scalar == "\n") {
        text.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal or an editor can interpret the character as a command or as a new line.
  ///
  /// These are the control characters, the separators of lines, and the characters that change the direction of text.
  fileprivate var isControl: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
