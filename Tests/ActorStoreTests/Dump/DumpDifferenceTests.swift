import Testing

@testable import ActorStore

/// The difference between two values.
@Suite struct DumpDifferenceTests {
  private struct Item: Equatable {
    var name: String
    var price = 1
  }

  private struct Cart: Equatable {
    var items: [Item] = []
    var notes: [String: Int] = [:]
    var tags: Set<String> = []
    var status = Status.open
    var owner: String?
  }

  private enum Status: Equatable {
    case open
    case paid(amount: Int, by: String)
    case closed
  }

  @Test func equalValues() {
    #expect(Dump.difference(from: Cart(), to: Cart()) == nil)
    #expect(Dump.difference(from: 1, to: 1) == nil)
  }

  @Test func leaves() {
    #expect(Dump.difference(from: 1, to: 2) == "- 1\n+ 2")
    #expect(Dump.difference(from: 1, to: "1") == "- 1\n+ \"1\"")
    #expect(Dump.difference(from: Int?.none as Any, to: Int?.some(1) as Any) == "- nil\n+ 1")
  }

  @Test func onlyChangesAreShown() {
    var after = Cart()
    after.owner = "Ann"
    #expect(
      Dump.difference(from: Cart(), to: after) == """
          Cart(
            … (4 unchanged)
        -   owner: nil
        +   owner: "Ann"
          )
        """)
  }

  @Test func changesInsideElements() {
    let before = Cart(items: ["tea", "milk", "bread"].map { Item(name: $0) })
    var after = before
    after.items[1].price = 2
    #expect(
      Dump.difference(from: before, to: after) == """
          Cart(
            items: [
              … (1 unchanged)
              [1]: Item(
                … (1 unchanged)
        -       price: 1
        +       price: 2
              ),
              … (1 unchanged)
            ],
            … (4 unchanged)
          )
        """)
  }

  @Test func insertionsAndRemovals() {
    let before = ["a", "b", "c", "d"]
    #expect(
      Dump.difference(from: before, to: ["b", "c", "x", "d"]) == """
          [
        -   [0]: "a",
            … (2 unchanged)
        +   [2]: "x",
            … (1 unchanged)
          ]
        """)
  }

  @Test func dictionariesAndSets() {
    var (before, after) = (Cart(), Cart())
    before.notes = ["a": 1, "b": 2]
    after.notes = ["b": 3, "c": 4]
    before.tags = ["x", "y"]
    after.tags = ["y", "z"]
    #expect(
      Dump.difference(from: before, to: after) == """
          Cart(
            … (1 unchanged)
            notes: [
        -     "a": 1,
        -     "b": 2,
        +     "b": 3,
        +     "c": 4
            ],
            tags: [
        -     "x",
        +     "z",
              … (1 unchanged)
            ],
            … (2 unchanged)
          )
        """)
  }

  @Test func cases() {
    var (before, after) = (Cart(), Cart())
    after.status = .closed
    #expect(Dump.difference(from: before, to: after)?.contains("-   status: .open,\n+   status: .closed,") == true)
    before.status = .paid(amount: 1, by: "Ann")
    after.status = .paid(amount: 2, by: "Ann")
    #expect(
      Dump.difference(from: before, to: after) == """
          Cart(
            … (3 unchanged)
            status: .paid(
        -     amount: 1,
        +     amount: 2,
              … (1 unchanged)
            ),
            … (1 unchanged)
          )
        """)
  }

  /// The `==` operator can distinguish values whose dumps are the same.
  @Test func unequalValuesThatLookTheSame() {
    struct Secret: Equatable, CustomReflectable {
      let word: String
      var customMirror: Mirror { Mirror(self, children: [:]) }
    }
    let difference = Dump.difference(from: Secret(word: "a"), to: Secret(word: "b"))
    #expect(difference?.contains("not equal, though they look the same") == true)
  }

  @Test func valuesThatAreNotEquatable() {
    struct Plain {
      var number = 1
      var inner = [Inner()]
      struct Inner { var text = "a" }
    }
    var after = Plain()
    after.inner[0].text = "b"
    #expect(Dump.difference(from: Plain(), to: Plain()) == nil)
    #expect(
      Dump.difference(from: Plain(), to: after) == """
          Plain(
            … (1 unchanged)
            inner: [
              [0]: Inner(
        -       text: "a"
        +       text: "b"
              )
            ]
          )
        """)
  }

  @Test func inheritedProperties() {
    class Animal {
      var legs = 4
    }
    final class Dog: Animal {
      var name = "Pluto"
    }
    let (one, other) = (Dog(), Dog())
    (other.legs, other.name) = (3, "Rex")
    let difference = Dump.difference(from: one, to: other)
    #expect(difference?.contains("-   legs: 4,\n+   legs: 3,\n-   name: \"Pluto\"\n+   name: \"Rex\"") == true)
  }

  @Test func objectsAndCycles() {
    final class Node {
      var name: String
      var next: Node?

      init(_ name: String) {
        self.name = name
      }
    }
    let (one, other) = (Node("one"), Node("other"))
    (one.next, other.next) = (one, other)
    #expect(Dump.difference(from: one, to: one) == nil)
    #expect(Dump.difference(from: one, to: other)?.contains("- ") == true)
    (one.next, other.next) = (nil, nil)
  }

  /// Equal parts are not inspected, and changes are found without comparing all pairs of elements.
  @Test func largeCollections() {
    let before = Array(0..<100_000)
    var after = before
    after[70_000] = -1
    #expect(
      Dump.difference(from: before, to: after) == """
          [
            … (70000 unchanged)
        -   [70000]: 70000,
        +   [70000]: -1,
            … (29999 unchanged)
          ]
        """)
    after = before
    after.insert(-1, at: 10)
    #expect(
      Dump.difference(from: before, to: after) == """
          [
            … (10 unchanged)
        +   [10]: -1,
            … (99990 unchanged)
          ]
        """)
    let reversed = Dump.difference(from: before, to: Array(before.reversed()), limits: .init(elements: 10))
    #expect(reversed?.split(separator: "\n").count == 23)
    #expect(reversed?.contains("… (99990 not compared)") == true)
  }

  /// The comparison ends at the limit of parts, and the text says so.
  @Test func largeCollectionsThatExceedTheParts() {
    struct Item { var number: Int }
    let limits = Dump.Limits(elements: 2, parts: 100)
    let before = (0..<1_000).map { Item(number: $0) }
    var after = before
    after[999].number = -1
    #expect(Dump.difference(from: before, to: before, limits: limits) == nil)
    #expect(Dump.difference(from: before, to: after, limits: limits)?.hasSuffix("    … (and more)\n  ]") == true)
    // The comparison finds a common end only in collections that it can compare completely.
    after[0].number = -1
    #expect(
      Dump.difference(from: before, to: after, limits: limits) == """
          [
            [0]: Item(
        -     number: 0
        +     number: -1
            ),
            … (95 unchanged)
            … (and more)
          ]
        """)
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.number, $0) })
    let new = Dictionary(uniqueKeysWithValues: before.map { ($0.number, Item(number: $0.number)) })
    #expect(Dump.difference(from: old, to: old, limits: limits) == nil)
    #expect(Dump.difference(from: old, to: new, limits: limits)?.hasSuffix("    … (and more)\n  ]") == true)
    let sets = [Set(0..<1_000), Set(0..<1_000).union([-1])]
    #expect(Dump.difference(from: sets[0], to: sets[1], limits: limits)?.hasSuffix("    … (and more)\n  ]") == true)
  }

  /// The work does not depend on the position of the change, and it grows no faster than the number of elements.
  @Test func oneChangeAmongMany() {
    struct Item { var number: Int }
    let before = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ($0, Item(number: $0)) })
    var after = before
    after[50_000]?.number = -1
    #expect(
      Dump.difference(from: before, to: after) == """
          [
            50000: Item(
        -     number: 50000
        +     number: -1
            ),
            … (99999 unchanged)
          ]
        """)
  }

  /// If the entire collection is new, the dump reads only the elements that it shows.
  @Test func aLargeCollectionThatIsNew() {
    let difference = Dump.difference(from: [Int](), to: Array(0..<1_000_000), limits: .init(elements: 2))
    #expect(
      difference == """
          [
        +   [0]: 0,
        +   [1]: 1,
            … (999998 not compared)
          ]
        """)
  }

  /// Distinct keys remain distinct even if they look the same.
  @Test func keysThatLookTheSame() {
    final class Key: Hashable {
      static func == (one: Key, other: Key) -> Bool { one === other }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    let (one, other) = (Key(), Key())
    let difference = Dump.difference(from: [Key: Int](), to: [one: 1, other: 1])
    #expect(difference == "  [\n+   Key#1(): 1,\n+   Key#1() (2): 1\n  ]")
    let elements = Dump.difference(from: Set<Key>(), to: Set([one, other]))
    #expect(elements == "  [\n+   Key#1(),\n+   Key#1() (2)\n  ]")
  }

  /// The difference of long strings shows the text around the first change.
  ///
  /// The difference of large collections shows as many elements as the limit allows.
  @Test func longStringsAndLargeCollections() {
    let long = String(repeating: "x", count: 10_000)
    let difference = Dump.difference(from: long + "a", to: long + "b", limits: .init(characters: 8))
    #expect(difference == "- (9998 characters) … \"xxa\"\n+ (9998 characters) … \"xxb\"")
    let keys = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, $0) })
    let few = Dump.difference(from: [Int: Int](), to: keys, limits: .init(elements: 2))
    #expect(few == "  [\n+   0: 0,\n+   1: 1,\n    … (998 more changed)\n  ]")
    let elements = Dump.difference(from: Set<Int>(), to: Set(0..<1_000), limits: .init(elements: 2))
    #expect(elements?.contains("… (998 more changed)") == true)
  }
}
