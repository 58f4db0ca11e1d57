/// The lines of a timeline, in which repetitions are folded.
///
/// A task that spins or wakes again and again would fill thousands of lines with the same few ones. Each repeated block
/// of lines appears once, followed by how often it repeats.
struct FoldedLines {
  enum Row {
    case line(Recording.Line)
    /// The block of lines before this row repeats.
    case repetition(lines: Int, times: Int, lastStep: Int)
  }

  private(set) var rows: [Row] = []

  /// The length of the longest block whose repetitions are found.
  private static let longestBlock = 8
  /// The number of occurrences of a block that are folded.
  private static let fewestOccurrences = 3

  /// Folds lines, in time proportional to their number.
  init(_ lines: [Recording.Line]) {
    var rest = lines[...]
    while let first = rest.first {
      guard let (length, times) = Self.repetition(in: rest) else {
        rows.append(.line(first))
        rest = rest.dropFirst()
        continue
      }
      rows += rest.prefix(length).map { .line($0) }
      rest = rest.dropFirst(length * times)
      rows.append(.repetition(lines: length, times: times - 1, lastStep: lines[rest.startIndex - 1].step))
    }
  }

  /// The shortest block with which the lines begin several times, and the number of times.
  private static func repetition(in lines: ArraySlice<Recording.Line>) -> (length: Int, times: Int)? {
    for length in 1...longestBlock where length * fewestOccurrences <= lines.count {
      let end = zip(lines.indices, lines.indices.dropFirst(length)).first { !isSame(lines[$0], lines[$1]) }
      let times = ((end?.0 ?? lines.endIndex - length) - lines.startIndex) / length + 1
      if times >= fewestOccurrences { return (length, times) }
    }
    return nil
  }

  private static func isSame(_ line: Recording.Line, _ other: Recording.Line) -> Bool {
    line.lane == other.lane && (line.pattern ?? line.text) == (other.pattern ?? other.text)
  }
}
