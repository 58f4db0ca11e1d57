#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes the lines of a file.
struct LineWriter {
  private let encoder = JSONEncoder()
  private var sum = LineSum()
  private(set) var data = Data()
  private var line = 0

  init() {
    // Sorted keys make equal histories produce equal files.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  mutating func write(_ content: some Encodable, as kind: LineKind) throws(HistoryFileError) {
    line += 1
    let bytes: Data
    do {
      bytes = try encoder.encode(content)
    } catch {
      throw HistoryFileError(line: line, reason: .invalid(CodingText.of(error)))
    }
    sum.add(bytes)
    data += LineKind.start
    data += Data("\(sum.text)\(kind.middle)".utf8)
    data += bytes
    data += Data("}\n".utf8)
  }
}
