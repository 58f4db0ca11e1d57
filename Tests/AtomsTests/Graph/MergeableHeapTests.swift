import SeededRandom
import Testing

@testable import Atoms

@Suite struct MergeableHeapTests {
  @Test(arguments: 0..<20) func hasTheGreatestElementFirst(seed: UInt64) {
    var random = SplitMix64(seed)
    var (heaps, arrays) = (Array(repeating: MergeableHeap<Int>(), count: 4), Array(repeating: [Int](), count: 4))
    for _ in 0..<1_000 {
      let (one, other) = (random.below(4), random.below(4))
      switch random.below(8) {
      case 0 where one != other:
        heaps[one].merge(heaps[other])
        heaps[other] = MergeableHeap()
        arrays[one] += arrays[other]
        arrays[other] = []
      case 1, 2, 3:
        guard let greatest = arrays[one].max(), let index = arrays[one].firstIndex(of: greatest) else { continue }
        heaps[one].removeGreatest()
        arrays[one].remove(at: index)
      default:
        let new = random.below(100)
        heaps[one].insert(new)
        arrays[one].append(new)
      }
      for (heap, array) in zip(heaps, arrays) {
        #expect(heap.greatest == array.max() && heap.isEmpty == array.isEmpty)
      }
    }
    for (heap, array) in zip(heaps, arrays) { #expect(heap.elements.sorted() == array.sorted()) }
  }

  /// Heaps that grow by merging, the large one into the small one and the other way around.
  @Test(arguments: [false, true]) func aMergeMovesTheSmallerHeap(isIntoLarge: Bool) {
    let count = 10_000
    var large = MergeableHeap<Counted>()
    let comparisons = Tally()
    for number in 0..<count {
      var small = MergeableHeap<Counted>()
      small.insert(Counted(number: count - number, comparisons: comparisons))
      if isIntoLarge {
        large.merge(small)
      } else {
        small.merge(large)
        large = small
      }
    }
    // Each element becomes a leaf, after one comparison with its parent.
    #expect(comparisons.value < count && large.elements.count == count)
  }

  private struct Counted: Comparable {
    let number: Int
    let comparisons: Tally

    static func == (one: Counted, other: Counted) -> Bool { one.number == other.number }

    static func < (one: Counted, other: Counted) -> Bool {
      one.comparisons.add()
      return one.number < other.number
    }
  }
}
