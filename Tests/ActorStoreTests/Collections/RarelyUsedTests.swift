import Testing

@testable import ActorStore

@Suite struct RarelyUsedTests {
  private struct Names: Changeable, Hashable {
    var all: [String] = []
  }

  @Test func readingChangesNothing() {
    let names = RarelyUsed<Names>()
    #expect(names.value.all.isEmpty)
    #expect(!names.holds { $0.all.isEmpty })
  }

  @Test func aChangeStays() {
    var names = RarelyUsed<Names>()
    names.value.all.append("a")
    let copy = names
    names.value.all.append("b")
    #expect(names.value.all == ["a", "b"] && copy.value.all == ["a"])
    #expect(names.holds { $0.all.count == 2 } && !copy.holds { $0.all.count == 2 })
  }

  @Test func anUnchangedValueEqualsAnInitialOne() {
    var names = RarelyUsed<Names>()
    names.value.all.append("a")
    #expect(names != RarelyUsed())
    names.value.all.removeAll()
    #expect(names == RarelyUsed() && names.hashValue == RarelyUsed<Names>().hashValue)
  }

  @Test func takesOneWord() {
    #expect(MemoryLayout<RarelyUsed<Names>>.size == MemoryLayout<Int>.size)
  }
}
