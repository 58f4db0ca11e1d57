import Foundation
import Testing

@testable import ActorStore

/// The text of a value.
@Suite struct DumpTests {
  private struct Account: Equatable {
    var balance = 100
    var owners = ["Ann", "Bo"]
    var parent: String?
  }

  private enum Status: Equatable {
    case new
    case open(since: Int)
    case moved(from: String, to: String)
    case both(Int, Int)
    indirect case again(Status)
  }

  private final class Node {
    var name: String
    var next: Node?

    init(_ name: String) {
      self.name = name
    }
  }

  private class Animal {
    let legs = 4
  }

  private final class Dog: Animal {
    let name = "Pluto"
  }

  @Test func oneLine() {
    #expect(Dump.line(of: Account()) == Dump.text(of: Account()))
    #expect(Dump.line(of: ["Milk"]) == #"["Milk"]"#)
    let long = Dump.line(of: Array(repeating: "Milk", count: 100))
    #expect(long.hasPrefix(#"["Milk", "Milk", "#) && long.hasSuffix("…") && long.count == 81)
  }

  @Test func structsAndOptionals() {
    #expect(Dump.text(of: Account()) == #"Account(balance: 100, owners: ["Ann", "Bo"], parent: nil)"#)
    #expect(Dump.text(of: Account(parent: "Cy")).hasSuffix(#"parent: "Cy")"#))
    #expect(Dump.text(of: Int??.some(.some(1)) as Any) == "1")
    struct Empty {}
    #expect(Dump.text(of: Empty()) == "Empty()")
  }

  @Test func enums() {
    #expect(Dump.text(of: Status.new) == ".new")
    #expect(Dump.text(of: Status.open(since: 3)) == ".open(since: 3)")
    #expect(Dump.text(of: Status.moved(from: "a", to: "b")) == #".moved(from: "a", to: "b")"#)
    #expect(Dump.text(of: Status.both(1, 2)) == ".both(1, 2)")
    #expect(Dump.text(of: Status.again(.again(.new))) == ".again(.again(.new))")
    #expect(Dump.text(of: Result<Int, CancellationError>.success(1)) == ".success(1)")
  }

  @Test func aCaseWithACustomDescription() {
    enum Color: CustomStringConvertible {
      case red
      var description: String { "rosso" }
    }
    #expect(Dump.text(of: Color.red) == "rosso")
  }

  @Test func collectionsHaveAStableOrder() {
    let ages = Dictionary(uniqueKeysWithValues: (1...12).map { ($0, "\($0)") })
    let keys = Dump.text(of: ages).split(separator: "\n").filter { $0.hasPrefix("  ") }.compactMap {
      Int($0.drop { $0 == " " }.prefix { $0 != ":" })
    }
    #expect(keys.isEmpty || keys == Array(1...12))
    #expect(Dump.text(of: ["b": 1, "a": 2]) == #"["a": 2, "b": 1]"#)
    #expect(Dump.text(of: Set([10, 9, 1])) == "[1, 9, 10]")
    #expect(Dump.text(of: [String: Int]()) == "[:]")
    #expect(Dump.text(of: [Int]()) == "[]")
    #expect(Dump.text(of: (1, two: "2")) == #"(1, two: "2")"#)
  }

  @Test func sharedObjectsAndCycles() {
    let one = Node("one")
    let other = Node("other")
    (one.next, other.next) = (other, one)
    #expect(
      Dump.text(of: [one, other]) == #"[Node#1(name: "one", next: Node#2(name: "other", next: Node#1)), Node#2]"#)
    one.next = nil
    #expect(Dump.text(of: Dog()) == #"Dog#1(legs: 4, name: "Pluto")"#)
  }

  @Test func actorsAreNotRead() {
    actor Server { var cache = [1] }
    #expect(Dump.text(of: [Server()]) == "[Server]")
    let server = Server()
    #expect(Dump.difference(from: server, to: server) == nil)
    #expect(Dump.difference(from: server, to: Server())?.contains("not compared") == true)
  }

  /// The order is stable even for integers that are equal as floating-point numbers, and for NaN.
  @Test func keysOfAllKinds() {
    let near = [9_007_199_254_740_993: 1, 9_007_199_254_740_992: 2]
    #expect(Dump.text(of: near) == "[9007199254740992: 2, 9007199254740993: 1]")
    #expect(Dump.text(of: Set([Double.nan, 2, 10])) == "[2.0, 10.0, nan]")
    let nodes = Dictionary(uniqueKeysWithValues: (1...5).map { ($0, Node("\($0)")) })
    #expect(Dump.text(of: nodes).contains(#"1: Node#1(name: "1""#))
  }

  @Test func valuesWithDescriptions() {
    #expect(Dump.text(of: "a\n\"b\"") == #""a\n\"b\"""#)
    #expect(Dump.text(of: 1...3) == "1...3")
    #expect(Dump.text(of: Duration.seconds(2)) == "2.0 seconds")
    #expect(Dump.text(of: Int.self) == "Int.self")
    #expect(Dump.text(of: URL(filePath: "/tmp/a")) == "file:///tmp/a")
    #expect(Dump.text(of: { (number: Int) in number }) == "(function)")
    #expect(Dump.text(of: \Account.balance).contains("balance"))
  }

  @Test func customMirrorsAreRespected() {
    struct Secret: CustomReflectable {
      let password = "1234"
      var customMirror: Mirror { Mirror(self, children: ["password": "…"]) }
    }
    #expect(Dump.text(of: Secret()) == #"Secret(password: "…")"#)
  }

  /// The description of a generic value contains those of its elements, which show parts that the mirrors hide.
  @Test func mirrorsInsideTypesOfTheStandardLibrary() {
    struct Secret: CustomReflectable, CustomStringConvertible, Comparable, Hashable {
      var text = "1234"
      var customMirror: Mirror { Mirror(self, children: ["text": "…"]) }
      var description: String { text }
      static func < (one: Secret, other: Secret) -> Bool { one.text < other.text }
    }
    let node = Node("1234")
    defer { withExtendedLifetime(node) {} }
    let values: [Any] = [
      Secret()...Secret(text: "12345"), Secret()..<Secret(), Secret()..., ...Secret(),
      repeatElement(Secret(), count: 2),
      CollectionOfOne(Secret()), AnyHashable(Secret()), [AnyHashable(Secret()): 1],
      Result<Secret, Never>.success(Secret()),
      [Secret()].lazy.map { $0 }, zip([Secret()], [Secret()]), [Secret()].enumerated(), AnyCollection([Secret()]),
      KeyValuePairs(dictionaryLiteral: (Secret(), Secret())), Optional(Secret()) as Any, [Secret()][...],
      [Secret()].reversed(),
      AnyIterator([Secret()].makeIterator()), [[Secret()]].joined(), Unmanaged.passUnretained(node),
    ]
    for value in values {
      for text in [
        Dump.text(of: value), Dump.text(of: value, style: .outline), Dump.line(of: value),
        Dump.difference(from: value, to: 1) ?? "", Dump.difference(from: [value], to: [1, value]) ?? "",
      ] {
        #expect(!text.contains("1234"), "\(type(of: value)): \(text)")
      }
    }
    #expect(
      Dump.text(of: values[0]).split(separator: "\n")
        == ["ClosedRange<Secret>(", #"  lowerBound: Secret(text: "…"),"#, #"  upperBound: Secret(text: "…")"#, ")"])
    #expect(Dump.text(of: repeatElement(1, count: 3)) == "Repeated<Int>(count: 3, repeatedValue: 1)")
    #expect(Dump.text(of: AnyHashable(1)) == "1")
    #expect(Dump.text(of: 1..<4) == "1..<4")
  }

  /// The dump reads each element once, although it sorts the elements at each level.
  @Test func nestedSets() {
    struct Counted: CustomReflectable, Hashable {
      let reads: Witness<Int>
      static func == (one: Counted, other: Counted) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
      var customMirror: Mirror {
        reads.saw(1)
        return Mirror(self, children: [:])
      }
    }
    let counted = Counted(reads: Witness())
    func nested(_ depth: Int) -> AnyHashable {
      depth == 0 ? AnyHashable(counted) : AnyHashable(Set([nested(depth - 1), AnyHashable(depth)]))
    }
    #expect(Dump.text(of: nested(3)) == "[3, [2, [1, Counted()]]]")
    let reads = counted.reads.all.count
    _ = Dump.text(of: nested(10))
    #expect(counted.reads.all.count == 2 * reads)
    #expect(Dump.text(of: nested(10), limits: .init(depth: 5)).contains("…"))
    #expect(Dump.difference(from: nested(10), to: nested(9)) != nil)
    let keys = [[[1: 2]: 3]: 4] as [[[Int: Int]: Int]: Int]
    #expect(Dump.text(of: keys) == "[[[1: 2]: 3]: 4]")
  }

  /// The numbers of objects follow the order in which the text shows the objects.
  @Test func objectsInSets() {
    final class Tag: Hashable {
      let name: String
      let other: Node
      init(_ name: String, _ other: Node) { (self.name, self.other) = (name, other) }
      static func == (one: Tag, other: Tag) -> Bool { one === other }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    let shared = Node("shared")
    let tags = Set((1...4).map { Tag("\($0)", shared) })
    #expect(
      Dump.text(of: tags, limits: .init(lines: 100)) == """
        [
          Tag#1(name: "1", other: Node#2(name: "shared", next: nil)),
          Tag#3(name: "2", other: Node#2),
          Tag#4(name: "3", other: Node#2),
          Tag#5(name: "4", other: Node#2)
        ]
        """)
  }

  /// A dictionary with more entries than the limit of parts is not read completely.
  @Test func largeDictionaries() {
    let numbers = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, $0) })
    let text = Dump.text(of: numbers, limits: .init(elements: 2, parts: 10))
    #expect(text.hasSuffix("… (998 more)]"))
    #expect(Dump.text(of: numbers, limits: .init(elements: 2)) == "[0: 0, 1: 1, … (998 more)]")
  }

  @Test func longTextHasALineForEachPart() {
    let account = Account(owners: (0..<20).map { "owner number \($0)" })
    let lines = Dump.text(of: account).split(separator: "\n")
    #expect(lines.count == 26)
    #expect(lines[0...3] == ["Account(", "  balance: 100,", "  owners: [", #"    "owner number 0","#])
    #expect(lines.suffix(3) == ["  ],", "  parent: nil", ")"])
  }

  @Test func textIsBounded() {
    let numbers = Array(0..<1_000)
    #expect(Dump.text(of: numbers, limits: .init(elements: 3)) == "[0, 1, 2, … (997 more)]")
    #expect(Dump.text(of: "abcdef", limits: .init(characters: 2)) == #""ab" … (4 more characters)"#)
    let nested = [[[[1]]]]
    #expect(Dump.text(of: nested, limits: .init(depth: 2)) == "[[…]]")
    let text = Dump.text(of: numbers.map { "number \($0)" }, limits: .init(lines: 5, elements: 1_000))
    #expect(text.split(separator: "\n").count == 6)
    #expect(text.hasSuffix("… (997 more lines)"))
  }

  @Test func outlineStyle() {
    #expect(
      Dump.text(of: Account(owners: ["Ann"]), style: .outline) == """
        Account
          balance: 100
          owners: []
            0: "Ann"
          parent: nil
        """)
  }

  /// A dump stops at its maximum depth.
  @Test func aLongChainDoesNotOverflowTheStack() {
    let first = Node("first")
    var last = first
    for number in 0..<100_000 {
      last.next = Node("\(number)")
      last = last.next ?? last
    }
    #expect(Dump.text(of: first).contains("…"))
    #expect(Dump.difference(from: first, to: Node("other")) != nil)
    // Releases the objects one by one, because a chain of objects is released recursively.
    var rest: Node? = first
    while let node = rest {
      rest = node.next
      node.next = nil
    }
  }

  /// Each node of the tree has a hundred branches, and the dump reads only as many as it can show.
  @Test func aWideAndDeepTree() {
    struct Tree {
      let branches: [Tree]

      init(depth: Int) {
        branches = depth == 0 ? [] : [Tree](repeating: Tree(depth: depth - 1), count: 100)
      }
    }
    let text = Dump.text(of: Tree(depth: 15), limits: .init(lines: 10))
    #expect(text.split(separator: "\n").count == 11)
  }

  @Test func functionsInsideOtherValues() {
    let sendable: @Sendable () -> Void = {}
    #expect(Dump.text(of: sendable) == "(function)")
    #expect(Dump.text(of: (1, { 2 })) == "(1, (function))")
    #expect(Dump.text(of: [{ 2 }]) == "[(function)]")
  }

  /// A description with several lines keeps its lines, and each of them counts toward the limit.
  @Test func descriptionsWithSeveralLines() {
    #expect(Dump.text(of: ["one\ntwo"]) == #"["one\ntwo"]"#)
    let text = Dump.text(of: Lines(), limits: .init(lines: 2))
    #expect(text == "one\ntwo\n… (1 more lines)")
  }

  private enum Lines: CustomStringConvertible {
    case all

    init() {
      self = .all
    }

    var description: String { "one\ntwo\nthree" }
  }
}
