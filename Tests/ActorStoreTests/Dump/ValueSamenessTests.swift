import Testing

@testable import ActorStore

/// A difference is `nil` only if all parts of two values have been compared, regardless of the limits.
@Suite struct ValueSamenessTests {
  private let few = Dump.Limits(lines: 10, elements: 2, characters: 8, depth: 3)

  /// Wraps values, without `Equatable`.
  private struct Box {
    var content: [Any]
  }

  // MARK: Beyond the limits

  @Test func elementsBeyondTheLimit() {
    let before: [Any] = Array(0..<300)
    var after = before
    after[250] = -1
    #expect(
      Dump.difference(from: [before], to: [after]) == """
          [
            [0]: [
              … (250 unchanged)
        -     [250]: 250,
        +     [250]: -1,
              … (49 unchanged)
            ]
          ]
        """)
    #expect(Dump.difference(from: [before], to: [Array(before)]) == nil)
  }

  @Test func entriesBeyondTheLimit() {
    let before = Dictionary(uniqueKeysWithValues: (0..<300).map { ($0, ($0, "a")) })
    var after = before
    after[250] = (250, "b")
    #expect(Dump.difference(from: [before], to: [after])?.contains(#"-       "a"\#n+       "b""#) == true)
    #expect(Dump.difference(from: [before], to: [after], limits: few)?.contains(#"+       "b""#) == true)
  }

  /// Keys are compared by their own `==`, even if they look the same.
  @Test func keysThatLookTheSame() {
    let (one, other) = ("12345678a", "12345678b")
    let difference = Dump.difference(from: [one: (1, 1)], to: [other: (1, 1)], limits: few)
    #expect(difference?.contains("- ") == true && difference?.contains("+ ") == true)
    let moved = Dump.difference(
      from: [one: (1, 1), other: (2, 2)], to: [one: (2, 2), other: (1, 1)], limits: few)
    #expect(moved?.contains("- ") == true)
  }

  @Test(arguments: [15, 45, 200]) func levelsBeyondTheLimit(depth: Int) {
    func nested(_ content: Int, _ depth: Int) -> Box {
      Box(content: [depth == 0 ? content : nested(content, depth - 1)])
    }
    #expect(Dump.difference(from: nested(1, depth), to: nested(2, depth)) != nil)
    #expect(Dump.difference(from: nested(1, depth), to: nested(2, depth), limits: few) != nil)
    let same = Dump.difference(from: nested(1, depth), to: nested(1, depth))
    if depth > 20 { #expect(same?.contains("! ") == true && same?.contains("not compared") == true) }
  }

  @Test func levelsWithinTheLimit() {
    func nested(_ depth: Int) -> Box { Box(content: [depth == 0 ? 1 : nested(depth - 1)]) }
    #expect(Dump.difference(from: nested(8), to: nested(8)) == nil)
  }

  // MARK: Parts that cannot be compared

  private struct Handler {
    var name = "a"
    let call: @Sendable () -> Int
  }

  @Test func functions() {
    let call: @Sendable () -> Int = { 1 }
    #expect(Dump.difference(from: Handler(call: call), to: Handler(call: call)) == nil)
    #expect(
      Dump.difference(from: Handler(call: call), to: Handler { 2 }) == """
          Handler(
            … (1 unchanged)
            call: (function)
        !   not compared, though they look the same
          )
        """)
  }

  @Test func actorsAndHiddenParts() {
    actor Clerk {
      var number = 1
    }
    struct Secret: CustomReflectable {
      let word: String
      var customMirror: Mirror { Mirror(self, children: ["length": word.count]) }
    }
    let clerk = Clerk()
    #expect(Dump.difference(from: clerk, to: clerk) == nil)
    #expect(Dump.difference(from: clerk, to: Clerk())?.contains("not compared") == true)
    #expect(Dump.difference(from: Secret(word: "tea"), to: Secret(word: "tea")) == nil)
    #expect(Dump.difference(from: Secret(word: "tea"), to: Secret(word: "ham"))?.contains("not compared") == true)
    #expect(Dump.difference(from: Secret(word: "tea"), to: Secret(word: "milk"))?.contains("length: 3") == true)
  }

  /// Cases and types can describe themselves in the same way.
  @Test func casesThatLookTheSame() {
    enum Answer: CustomStringConvertible {
      case yes(() -> Void)
      case no, never
      var description: String { "an answer" }
    }
    enum Plain {
      case yes(() -> Void)
      case no, never
    }
    #expect(Dump.difference(from: Answer.no, to: Answer.never) != nil)
    #expect(Dump.difference(from: Plain.no, to: Plain.never) == "- .no\n+ .never")
    #expect(Dump.difference(from: [Plain.no], to: [Plain.no]) == nil)
  }

  /// Objects are compared by their properties, and a cycle of objects ends.
  @Test func objects() {
    final class Node {
      var name: String
      var next: Node?

      init(_ name: String) {
        self.name = name
      }
    }
    func ring(_ name: String) -> Node {
      let (one, other) = (Node("a"), Node(name))
      (one.next, other.next) = (other, one)
      return one
    }
    let rings = [ring("b"), ring("b"), ring("c")]
    #expect(Dump.difference(from: rings[0], to: rings[1]) == nil)
    #expect(Dump.difference(from: rings[0], to: rings[2]) != nil)
    for ring in rings { ring.next?.next = nil }
  }

  // MARK: Values that are not equal to themselves

  private struct Reading: Equatable {
    var isValid = true
    var value = Double.nan
    var history: [Double?] = [1, .nan, nil]
  }

  @Test func unchangedNaN() {
    #expect(Dump.difference(from: Double.nan, to: Double.nan) == nil)
    #expect(Dump.difference(from: Double.nan, to: Double.signalingNaN) != nil)
    #expect(Dump.difference(from: Reading(), to: Reading()) == nil)
    #expect(Dump.difference(from: [Reading().history], to: [Reading().history]) == nil)
    #expect(
      Dump.difference(from: Reading(), to: Reading(isValid: false)) == """
          Reading(
        -   isValid: true,
        +   isValid: false,
            … (2 unchanged)
          )
        """)
  }

  /// If `==` finds a difference that the parts do not show, the values are not the same.
  @Test func equalPartsOfUnequalValues() {
    struct Version: Equatable {
      let number: Int
      let text: [String]
      static func == (one: Version, other: Version) -> Bool { one.text.isEmpty != other.text.isEmpty }
    }
    let difference = Dump.difference(from: Version(number: 1, text: ["a"]), to: Version(number: 1, text: ["a"]))
    #expect(difference?.contains("not equal, though they look the same") == true)
  }
}
