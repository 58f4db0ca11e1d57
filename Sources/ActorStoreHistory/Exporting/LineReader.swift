#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the lines of a file.
struct LineReader {
  private let decoder = JSONDecoder()
  private var sum = LineSum()
  private var rest: Data
  /// The number of the last line that was read.
  private var line = 0

  init(_ data: Data, userInfo: [CodingUserInfoKey: any Sendable]) {
    rest = data
    decoder.userInfo = userInfo
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  /// Reads the first line.
  ///
  /// Another version can compute checksums differently, so the version is checked first.
  mutating func header() throws(HistoryFileError) -> HistoryHeader {
    guard let (sum, content) = next(.header) else { throw error(.foreign) }
    let version = try decode(HistoryVersion.self, from: content).version
    if version != HistoryHeader.version { throw error(.version(version)) }
    if self.sum.text != sum { throw error(.damaged) }
    let header = try decode(HistoryHeader.self, from: content)
    guard header.count >= 0, 0..<max(1, header.count) ~= header.position else {
      throw error(.invalid("position \(header.position) of \(header.count) entries"))
    }
    if header.count > HistoryNumbers.max { throw error(.invalid("count is larger than \(HistoryNumbers.max)")) }
    return header
  }

  /// Reads the next line.
  mutating func entry<State>(_ type: HistoryLine<State>.Type) throws(HistoryFileError) -> HistoryLine<State> {
    let isCut = rest.firstIndex(of: UInt8(ascii: "\n")) == nil
    guard let (sum, content) = next(.entry), self.sum.text == sum else { throw error(isCut ? .truncated : .damaged) }
    return try decode(type, from: content)
  }

  /// Checks that there are no more lines.
  mutating func end() throws(HistoryFileError) {
    line += 1
    if !rest.isEmpty { throw error(.damaged) }
  }

  /// Splits the next line into its checksum and its content, or returns `nil` if it is not a line of that kind.
  private mutating func next(_ kind: LineKind) -> (sum: String, content: Data)? {
    line += 1
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    let bytes = rest[..<end]
    rest = rest[end...].dropFirst()
    let tail = bytes.dropFirst(LineKind.start.count + LineSum.digits)
    guard bytes.starts(with: LineKind.start), tail.starts(with: kind.middle.utf8), bytes.last == UInt8(ascii: "}")
    else { return nil }
    let content = tail.dropFirst(kind.middle.utf8.count).dropLast()
    sum.add(content)
    return (String(decoding: bytes.dropFirst(LineKind.start.count).prefix(LineSum.digits), as: UTF8.self), content)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws(HistoryFileError) -> Value {
    do {
      return try decoder.decode(type, from: content)
    } catch let unknown as UnknownAction {
      throw error(.unknownAction(unknown.name))
    } catch {
      throw self.error(.invalid(CodingText.of(error)))
    }
  }

  func error(_ reason: HistoryFileError.Reason) -> HistoryFileError { HistoryFileError(line: line, reason: reason) }
}

/// The part of the first line that all versions have.
private struct HistoryVersion: Decodable {
  let version: Int
}
