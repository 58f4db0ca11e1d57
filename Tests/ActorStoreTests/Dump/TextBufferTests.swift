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

  @Test func anAbandonedTextIsNil() {
    #expect(TextBuffer.text { _ in false } == nil)
  }
}
