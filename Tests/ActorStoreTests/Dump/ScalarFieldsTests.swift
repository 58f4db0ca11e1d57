import Testing

@testable import ActorStore

/// Structures of scalars have the same difference with and without a mirror.
@Suite struct ScalarFieldsTests {
  private struct Mixed: Sendable {
    var flag = false
    var count = 1
    var small: Int8 = 2
    var name = "tea"
    var ratio = 0.5
    var last: UInt16 = 3
  }

  private struct Extremes: Sendable {
    var least = Int.min
    var most = UInt.max
    var bytes: UInt8 = .max
  }

  private struct Same: Equatable {
    var id = 1
    var cache = 2
    static func == (one: Self, other: Self) -> Bool { one.id == other.id }
  }

  private struct Unequal: Equatable {
    var id = 1
    static func == (one: Self, other: Self) -> Bool { false }
  }

  private let limits = Dump.Limits(lines: 20, characters: 10)

  private func expectSameText<Value>(_ old: Value, _ new: Value) throws {
    let result = try #require(ScalarFields(of: old)).difference(from: old, to: new, limits: limits)
    let expected = Dump.difference(from: old, to: new, limits: limits)
    #expect(result == expected.map { .different($0) } ?? .same)
  }

  @Test func everyCombinationOfChanges() throws {
    for changed in 0..<64 {
      var new = Mixed()
      if changed & 1 != 0 { new.flag = true }
      if changed & 2 != 0 { new.count = -7 }
      if changed & 4 != 0 { new.small = 100 }
      if changed & 8 != 0 { new.name = "a \"b\"\n" }
      if changed & 16 != 0 { new.ratio = .nan }
      if changed & 32 != 0 { new.last = 65_535 }
      try expectSameText(Mixed(), new)
      try expectSameText(new, new)
    }
  }

  private struct Optionals {
    var name: String? = "tea"
  }

  private struct Flag {
    var isOn: Bool? = true
  }

  /// An optional may have another value in the same memory later.
  @Test func anOptionalIsNoScalar() {
    #expect(ScalarFields(of: Optionals()) == nil)
    #expect(ScalarFields(of: Flag()) == nil)
  }

  @Test func equalityDecides() throws {
    try expectSameText(Same(), Same(cache: 3))
    try expectSameText(Same(), Same(id: 2, cache: 3))
    try expectSameText(Unequal(), Unequal())
    try expectSameText(Unequal(), Unequal(id: 2))
  }

  @Test func textsBeyondTheLimitsAreLeftToTheMirror() throws {
    let fields = try #require(ScalarFields(of: Mixed()))
    let long = Mixed(name: String(repeating: "x", count: 11))
    #expect(fields.difference(from: Mixed(), to: long, limits: limits) == .unknown)
    #expect(fields.difference(from: Mixed(), to: Mixed(count: 2), limits: .init(lines: 14)) == .unknown)
  }

  @Test func lines() throws {
    for name in ["tea", "a \"b\"\n", "\\", "é", ""] {
      let value = Mixed(count: -7, name: name)
      #expect(try #require(ScalarFields(of: value)).line(of: value, bytes: 100) == Dump.line(of: value))
    }
    let extremes = Extremes()
    #expect(try #require(ScalarFields(of: extremes)).line(of: extremes, bytes: 100) == Dump.line(of: extremes))
    let value = Mixed()
    let fields = try #require(ScalarFields(of: value))
    let bytes = Dump.line(of: value).utf8.count
    #expect(fields.line(of: value, bytes: bytes) != nil && fields.line(of: value, bytes: bytes - 1) == nil)
  }

  /// A string with a line separator takes several lines.
  @Test func stringsWithSeveralLinesAreLeftToTheMirror() throws {
    let value = Mixed(name: "a\u{2028}b")
    let fields = try #require(ScalarFields(of: value))
    let isOneLine = !value.name.debugDescription.contains(where: \.isNewline)
    #expect((fields.line(of: value, bytes: 100) != nil) == isOneLine)
    #expect((fields.difference(from: Mixed(), to: value, limits: limits) != .unknown) == isOneLine)
  }

  @Test func otherTypesAreLeftToTheMirror() {
    struct Box { var value: Any = 1 }
    struct Optionals { var value: Int? = 1 }
    struct Lazy { lazy var value = 1 }
    struct Hidden: CustomReflectable {
      var value = 1
      var customMirror: Mirror { Mirror(self, children: ["value": 1], displayStyle: .struct) }
    }
    struct Empty {}
    #expect(ScalarFields(of: Box()) == nil && ScalarFields(of: Optionals()) == nil && ScalarFields(of: Lazy()) == nil)
    #expect(ScalarFields(of: Hidden()) == nil && ScalarFields(of: Empty()) == nil && ScalarFields(of: 1) == nil)
    #expect(ScalarFields(of: Duration.zero) == nil && ScalarFields(of: (1, 2)) == nil && ScalarFields(of: [1]) == nil)
  }
}
