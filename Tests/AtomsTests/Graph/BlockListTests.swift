import SeededRandom
import Testing

@testable import Atoms

/// Lists of many blocks, and the pins that they hold.
@Suite struct BlockListTests {
  @Test(arguments: 0..<20) func equalsAnArray(seed: UInt64) {
    var random = SplitMix64(seed)
    var (list, array) = (BlockList<Int>(), [Int]())
    for step in 0..<2_000 {
      // The list grows to many blocks, and becomes empty several times.
      let grows = step / 400 % 2 == 0
      if random.below(10) < (grows ? 9 : 1) {
        list.append(step)
        array.append(step)
      } else if !array.isEmpty {
        let place = random.below(array.count)
        guard let index = list.firstIndex(where: { $0 >= array[place] }) else {
          Issue.record("an element is missing")
          return
        }
        #expect(list[index] == array[place])
        list.remove(at: index)
        array.remove(at: place)
      }
      let bound = random.below(step + 2)
      #expect(list.last { $0 >= bound } == array.last { $0 < bound })
      #expect(list.firstIndex { $0 >= bound }.map { list[$0] } == array.first { $0 >= bound })
      #expect(list.first == array.first && list.last == array.last && list.isEmpty == array.isEmpty)
    }
    #expect(list.elements == array)
  }

  @Test func listsWithOtherBlocksAreEqual() {
    var (one, other) = (BlockList<Int>(), BlockList<Int>())
    for number in 0..<200 { one.append(number) }
    for number in 0..<300 { other.append(number - 100) }
    while let first = other.first, first < 0, let index = other.firstIndex(where: { _ in true }) {
      other.remove(at: index)
    }
    #expect(one == other && one.hashValue == other.hashValue)
  }

  @Test(arguments: 0..<20) func pinsEqualAnArray(seed: UInt64) {
    var random = SplitMix64(seed)
    var (pins, all, revision) = (Pins(), [Revision](), Revision(0))
    for step in 0..<2_000 {
      revision += Revision(random.below(3))
      if random.below(10) < (step / 400 % 2 == 0 ? 9 : 1) {
        // An evaluation begins at the newest revision, or beside another one.
        let new = random.below(3) == 0 ? all.randomElement(using: &random) ?? revision : revision
        pins.add(new)
        all.append(new)
      } else if !all.isEmpty {
        let former = all.remove(at: random.below(all.count))
        #expect(pins.remove(former) == !all.contains(former))
      }
      let end = Revision(random.below(Int(revision) + 2))
      let start = Revision(random.below(Int(end) + 1))
      #expect(pins.newest(before: end) == all.filter { $0 < end }.max())
      #expect(pins.see(from: start, before: end) == all.contains { start <= $0 && $0 < end })
      #expect(pins.see(from: start) == all.contains { start <= $0 })
      #expect(pins.oldest == all.min() && pins.count == all.count && pins.isEmpty == all.isEmpty)
    }
  }
}
