/// The first word of a line, and the rest without spaces around it, or `nil` if the line has no text.
package func splitCommand(_ line: String) -> (name: Substring, argument: String)? {
  let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
  guard let name = words.first else { return nil }
  return (name, words.count > 1 ? trimmed(words[1]) : "")
}

private func trimmed(_ text: Substring) -> String {
  let start = text.drop(while: \.isWhitespace)
  guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return String(start[...end])
}
