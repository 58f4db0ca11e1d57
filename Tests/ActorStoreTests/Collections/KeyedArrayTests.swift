import ActorStoreTesting
import SeededRandom
import Testing

@testable import ActorStore

/// Compares the keyed array with a plain array of pairs, over random operations.
@Suite struct KeyedArrayTests {
  @Test(arguments: 0..<30 as Range<UInt64>) func matchesAnArrayOfPairs(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var array = KeyedArray<Int, Int>()
    var model: [(key: Int, value: Int)] = []
    for step in 0..<600 {
      let key = random.below(25)
      let index = model.firstIndex { $0.key == key }
      #expect(array[key] == index.map { model[$0].value })
      switch random.below(4) {
      case 0:
        array[key] = step
        if let index { model[index].value = step } else { model.append((key, step)) }
      case 1:
        array[key, default: 100] += 1
        if let index { model[index].value += 1 } else { model.append((key, 101)) }
      case 2:
        let changed: Int? = array.change(key) { value in
          value += 10
          return value
        }
        if let index { model[index].value += 10 }
        #expect(changed == index.map { model[$0].value })
      default:
        let removed = array.remove(key)
        #expect(removed == index.map { model[$0].value })
        if let index {
          model.swapAt(index, model.count - 1)
          model.removeLast()
        }
      }
      #expect(array.keys == model.map(\.key))
      #expect(array.values == model.map(\.value))
      #expect((0..<array.count).allSatisfy { array[$0] == model[$0] })
    }
  }

  /// A loop from the last index down visits each element that remains, even if others are added and removed meanwhile.
  @Test(arguments: 0..<100 as Range<UInt64>) func aReverseLoopVisitsEveryRemainingElement(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var array = KeyedArray<Int, Int>()
    for key in 0..<20 { array[key] = key }
    var (visited, removed): (Set<Int>, Set<Int>) = ([], [])
    var next = array.count - 1
    while next >= 0 {
      visited.insert(array[next].key)
      next -= 1
      switch random.below(3) {
      case 0: array[100 + random.below(100)] = 0
      case 1:
        guard let key = array.keys.randomElement(using: &random) else { break }
        _ = array.remove(key)
        removed.insert(key)
      default: break
      }
      next = min(next, array.count - 1)
    }
    #expect(visited.union(removed).isSuperset(of: 0..<20))
  }
}
