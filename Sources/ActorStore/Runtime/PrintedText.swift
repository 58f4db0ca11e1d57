/// Prepares text for printing, so that names, descriptions, and reasons from clients cannot control a terminal or add
/// lines.
extension String {
  /// The text, with an escape sequence such as `\u{1B}` in place of each control character except newlines.
  package var printable: String { isPlain(newlines: true) ? self : escaped(keepsNewlines: true) }

  /// The printable text on one line, with a space in place of each newline and the indentation after it.
  ///
  /// In a difference, a mark may precede the indentation.
  package var onOneLine: String {
    if isPlain(newlines: false) { return self }
    if !utf8.contains(where: \.isNewline) { return escaped(keepsNewlines: false) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var isAtStart = true
    for byte in utf8 {
      if byte.isNewline {
        if !isAtStart, bytes.last != .space { bytes.append(.space) }
        isAtStart = true
      } else if isAtStart && byte == .space {
        continue
      } else if isAtStart && byte.isMark {
        bytes += [byte, .space]
      } else {
        bytes.append(byte)
        isAtStart = false
      }
    }
    while bytes.last == .space { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self).escaped(keepsNewlines: false)
  }

  /// Whether the text contains only printable ASCII characters, and newlines if they are allowed.
  ///
  /// The check does not decode the text.
  private func isPlain(newlines: Bool) -> Bool {
    utf8.allSatisfy { 0x20..<0x7F ~= $0 || newlines && $0 == 0x0A }
  }

  private func escaped(keepsNewlines: Bool) -> String {
    func mustEscape(_ scalar: Unicode.Scalar) -> Bool { scalar.isControl && !(keepsNewlines && scalar == "\n") }
    if !unicodeScalars.contains(where: mustEscape) { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if mustEscape(scalar) {
        text.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension UInt8 {
  fileprivate static var space: UInt8 { 0x20 }
  fileprivate var isNewline: Bool { self == 0x0A || self == 0x0D }
  /// Whether the character is `+`, `-`, or `!`.
  fileprivate var isMark: Bool { self == 0x2B || self == 0x2D || self == 0x21 }
}

extension Unicode.Scalar {
  /// Whether a terminal or an editor can interpret the character as a command or as a new line.
  ///
  /// These are the control characters, the line separators, and the characters that change the direction of text.
  fileprivate var isControl: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
