import Testing

@testable import ActorStoreTesting

/// The repetitions in a timeline.
@Suite struct FoldedLinesTests {
  /// The rows for lines that a text gives by their letters, such as "a b [2 4 x] c".
  private func fold(_ letters: some Sequence<Character>) -> String {
    let lines = letters.enumerated().map { Recording.Line(step: $0, lane: 0, text: "\($1)") }
    return FoldedLines(lines).rows.map { row in
      switch row {
      case .line(let line): line.text
      case .repetition(let lines, let times, let step): "[\(lines) \(times)x to \(step)]"
      }
    }.joined(separator: " ")
  }

  @Test func foldsBlocksThatOccurThreeTimes() {
    #expect(fold("") == "")
    #expect(fold("aab") == "a a b")
    #expect(fold("aaab") == "a [1 2x to 2] b")
    #expect(fold("xababc") == "x a b a b c")
    #expect(fold("xabababc") == "x a b [2 2x to 6] c")
    #expect(fold("xabababac") == "x a b [2 2x to 6] a c")
    #expect(fold("aaabbb") == "a [1 2x to 2] b [1 2x to 5]")
    #expect(fold("abcdefghabcdefghabcdefgh") == "a b c d e f g h [8 2x to 23]")
  }

  @Test func onlyTheSameTaskRepeatsALine() {
    let lines = (0..<6).map { Recording.Line(step: $0, lane: $0, text: "yields") }
    #expect(FoldedLines(lines).rows.count == 6)
  }

  /// Unfolding the rows results in the lines again, for every text of three letters.
  @Test func losesNoLine() {
    for number in 0..<19_683 {
      let letters = (0..<9).map { place in Array("abc")[number / Self.powers[place] % 3] }
      let lines = letters.enumerated().map { Recording.Line(step: $0, lane: 0, text: "\($1)") }
      var unfolded: [String] = []
      for row in FoldedLines(lines).rows {
        switch row {
        case .line(let line): unfolded.append(line.text)
        case .repetition(let count, let times, let step):
          for _ in 0..<times { unfolded += unfolded.suffix(count) }
          #expect(step == unfolded.count - 1)
        }
      }
      #expect(unfolded == letters.map { "\($0)" })
    }
  }

  private static let powers = (0..<9).map { place in (0..<place).reduce(1) { power, _ in power * 3 } }
}
