import SeededRandom
import Testing

@testable import Atoms

/// The values and nodes that the logic of a graph keeps for pins.
@Suite struct FormerValuesTests {
  /// Another evaluation has revalidated the node between two steps of this one.
  @Test func aNodeThatIsCleanKeepsNoValueBeforeRevalidation() {
    var logic = GraphStateMachine<Int>()
    let node = logic.add(isSource: false, isRun: true)
    logic[node].version = 1
    let pin = logic.begin()
    #expect(!logic.mustKeepBeforeRevalidation(node))
    logic.advance()
    logic[node].dirtyAt = logic.revision
    #expect(logic.mustKeepBeforeRevalidation(node))
    logic.keepBeforeRevalidation(node, 7)
    #expect(logic[node].validFrom == logic.revision && logic.old(node, at: pin.revision)?.value == 7)
    #expect(!logic.mustKeepBeforeRevalidation(node))
    #expect(logic.end(pin).values == [7])
  }

  private var logic = GraphStateMachine<Int>()

  /// The atom is released while a pin sees a former value and another pin sees the atom.
  @Test mutating func aRemovedNodeLivesLongerThanItsFormerValues() {
    let node = logic.add(isSource: true)
    let old = logic.begin()
    logic.advance()
    logic.replaceValue(of: node, old: 0, new: nil)
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
    for value in 0..<1_000 {
      let short = logic.begin()
      logic.advance()
      logic.replaceValue(of: node, old: value, new: nil)
      let unseen = logic.end(short).values
      // The long pin sees the first value.
      #expect(unseen == (value == 0 ? [] : [value]) && logic.keptCount == 1)
    }
    #expect(logic.old(node, at: long.revision)?.value == 0)
    #expect(logic.end(long).values == [0] && logic.keptCount == 0)
  }

  /// Random pins, changes, and removals, against a list of all values.
  @Test(arguments: 0..<100) func keepsWhatPinsSee(seed: UInt64) {
    var (logic, random) = (GraphStateMachine<Int>(), SplitMix64(seed))
    var nodes = (0..<3).map { _ in logic.add(isSource: true) }
    var values = Dictionary(
      uniqueKeysWithValues: nodes.map { ($0, [(from: Revision(0), value: -Int($0.index))]) })
    var pinned: [EvaluationStateMachine<Int>] = []
    var removed: [NodeID: Revision] = [:]
    var (released, kept) = (Set<Int>(), Set<Int>())
    for step in 1...200 {
      switch random.below(5) {
      case 0, 1: pinned.append(logic.begin())
      case 2 where !pinned.isEmpty:
        let unseen = logic.end(pinned.remove(at: random.below(pinned.count)))
        for value in unseen.values { #expect(released.insert(value).inserted && kept.contains(value)) }
        for node in unseen.nodes { removed[node] = nil }
      case 3 where random.below(30) == 0 && !nodes.isEmpty:
        let node = nodes.remove(at: random.below(nodes.count))
        if !logic.remove(node).isUnseen { removed[node] = logic.revision + 1 }
      default:
        guard let node = nodes.randomElement(using: &random), let last = values[node]?.last?.value else { continue }
        logic.advance()
        let mustKeep = logic.mustKeep(node)
        if mustKeep { kept.insert(last) }
        logic.replaceValue(of: node, old: mustKeep ? last : nil, new: nil)
        values[node]?.append((from: logic.revision, value: step))
      }
      let revisions = Set(pinned.map(\.revision))
      for revision in revisions {
        for node in nodes {
          let expected = values[node]?.last { $0.from <= revision }
          let isNewest = expected?.from == values[node]?.last?.from
          #expect(logic.old(node, at: revision)?.value == (isNewest ? nil : expected?.value))
        }
      }
      // Nothing else remains.
      let seen = values.values.flatMap { history in
        zip(history, history.dropFirst()).filter { one, next in revisions.contains { one.from <= $0 && $0 < next.from }
        }
      }
      #expect(logic.keptCount == seen.count + removed.count)
    }
    for evaluation in pinned { for value in logic.end(evaluation).values { released.insert(value) } }
    #expect(released == kept && logic.keptCount == 0)
  }
}
