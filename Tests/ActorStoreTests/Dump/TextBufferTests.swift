import SeededRandom
import TestSize
import Testing

@testable import ActorStore

/// Texts under construction.
@Suite struct TextBufferTests {
  private func text(_ body: (inout TextBuffer) -> Void) -> String? {
    TextBuffer.text { buffer in
      body(&buffer)
      return true
    }
  }

  @Test func numbers() {
    var numbers: [UInt64] = [0, .max]
    for digits in 0..<20 {
      let power = (0..<digits).reduce(1 as UInt64) { product, _ in product * 10 }
      numbers += [power - 1, power, power + 1]
    }
    for number in numbers { #expect(text { $0.append(number) } == "\(number)") }
  }

  /// A long text moves from the stack to the heap, and there to larger memory.
  @Test(arguments: [1, 124, 125, 126, 246, 249, 250, 251, 1_000, 10_000]) func longTexts(length: Int) {
    let long = String(repeating: "é", count: length)
    let number = UInt64(length)
    let all = text { buffer in
      for _ in 0..<length { buffer.append("é") }
      buffer.append(number)
      buffer.append(text: long)
      buffer.append(onOneLine: "\n" + long)
    }
    #expect(all == long + "\(length)" + long + long)
  }

  @Test func oneLine() {
    let lines = [
      "": "", "a": "a", "  a": "  a", "\n": "", "a\n": "a ", "  A(\n-   b: 1,\n!x\r\n  )": "A( - b: 1, ! x )",
    ]
    for (several, one) in lines { #expect(text { $0.append(onOneLine: several) } == one) }
  }

  /// The search for a newline reads eight bytes at a time.
  @Test func newlinesAtEachPosition() {
    for (before, after) in (0...17).flatMap({ before in (0...9).map { (before, $0) } }) {
      let (head, tail) = (String(repeating: "é", count: before), String(repeating: "b", count: after))
      let space = before > 0 ? " " : ""
      for newline in ["\n", "\r", "\r\n"] {
        #expect(text { $0.append(onOneLine: head + newline + tail) } == head + space + tail)
      }
    }
  }

  /// Texts of random pieces have the bytes of the same pieces in a `String`.
  @Test func randomTexts() {
    var random = SplitMix64(1)
    for _ in 0..<TestSize.count(2_000) {
      var expected = String.UnicodeScalarView()
      let actual = text { buffer in
        for _ in 0..<random.below(8) {
          let piece = Self.randomText(&random)
          switch random.below(4) {
          case 0:
            let number = random.next() >> UInt64(random.below(64))
            buffer.append("…", number)
            expected += "…\(number)".unicodeScalars
          case 1:
            buffer.append(text: piece)
            expected += piece.unicodeScalars
          default:
            buffer.append(onOneLine: piece)
            expected += Self.oneLine(piece)
          }
        }
      }
      // Equal strings may have different bytes.
      #expect(actual.map { Array($0.utf8) } == Array(String(expected).utf8))
    }
  }

  /// Some bytes of these characters are close to those of newlines.
  private static let characters = [
    "\n", "\r", " ", "+", "-", "!", "a", "\u{B}", "\u{C}", "\u{E}", "\0", "é", "e\u{301}", "\u{301}", "\u{8A}", "漢",
    "\u{2028}", "😀", "\u{10FFFF}",
  ]

  private static func randomText(_ random: inout SplitMix64) -> String {
    let length = random.below(random.below(10) == 0 ? 300 : 30)
    let first = random.below(2) == 0 ? 0 : 6
    return (0..<length).map { _ in characters[first + random.below(characters.count - first)] }.joined()
  }

  /// What `append(onOneLine:)` appends, one line after the other.
  private static func oneLine(_ text: String) -> String.UnicodeScalarView {
    let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
    if lines.count == 1 { return text.unicodeScalars }
    var all = String.UnicodeScalarView()
    for (index, line) in lines.enumerated() {
      if index > 0, let last = all.last, last != " " { all.append(" ") }
      let margin = line.prefix { $0 == " " || $0 == "+" || $0 == "-" || $0 == "!" }
      for mark in margin where mark != " " { all += [mark, " "] }
      all += line.dropFirst(margin.count)
    }
    return all
  }

  @Test func anAbandonedTextIsNil() {
    #expect(TextBuffer.text { _ in false } == nil)
  }
}
