import Testing

@testable import Atoms

/// The values and nodes that the logic of a graph keeps for pins.
@Suite struct FormerValuesTests {
  private var logic = GraphStateMachine<Int>()

  /// The atom is released while a pin sees a former value and another pin sees the atom.
  @Test mutating func aRemovedNodeLivesLongerThanItsFormerValues() {
    let node = logic.add(isSource: true)
    let old = logic.begin()
    logic.advance()
    _ = logic.replaceValue(of: node, old: 0, new: nil)
    let new = logic.begin()
    #expect(!logic.remove(node).isUnseen)
    #expect(logic.end(old) == .init(values: [0], nodes: []))
    #expect(logic[node].isRemoved)
    #expect(logic.end(new) == .init(values: [], nodes: [node]))
    #expect(logic.keptCount == 0)
  }

  @Test mutating func aLongPinCollectsNothingOfShortOnes() {
    let node = logic.add(isSource: true)
    let long = logic.begin()
    var values: [Int] = []
    var maximum = 0
    for value in 0..<10_000 {
      let short = logic.begin()
      logic.advance()
      values += logic.replaceValue(of: node, old: value, new: nil)
      values += logic.end(short).values
      maximum = max(maximum, logic.keptCount)
    }
    #expect(values.count == 9_998 && maximum <= 64)
    // The long pin sees the first value. No pin sees the last of the other values, which the next change would release.
    #expect(logic.old(node, at: long.revision)?.value == 0)
    values += logic.end(long).values
    #expect(values.sorted() == Array(0..<10_000) && logic.keptCount == 0)
  }
}
