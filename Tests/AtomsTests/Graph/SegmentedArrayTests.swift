import SeededRandom
import Testing

@testable import Atoms

/// An array that grows without moving all its elements (A4).
@Suite struct SegmentedArrayTests {
  @Test(arguments: 0..<20 as Range<UInt64>) func matchesAnArray(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var array = SegmentedArray<Int>()
    var model: [Int] = []
    for step in 0..<20_000 {
      switch random.below(4) {
      case 0 where seed % 2 == 0, 1, 2:
        array.append(step)
        model.append(step)
      case 3 where seed % 4 == 0, 0:
        #expect(array.popLast() == model.popLast())
      default:
        if model.isEmpty { continue }
        let (one, other) = (random.below(model.count), random.below(model.count))
        array[one] += 1
        model[one] += 1
        array.swapAt(one, other)
        model.swapAt(one, other)
      }
      #expect(array.count == model.count && array.last == model.last)
    }
    #expect(array.count > 3_000)
    #expect(array.elementsEqual(model) && Array(array.reversed()) == model.reversed())
    var copy = array
    #expect(copy == array)
    copy[0] += 1
    #expect(copy != array && array[0] == model[0])
  }

  @Test func changesThroughPlacesDoNotReachCopies() {
    var array = SegmentedArray<Int>()
    for number in 0..<3_000 { array.append(number) }
    let copy = array
    let places = array.places()
    for index in [0, 1_023, 1_024, 2_999] {
      places[index].value += 1
      #expect(places[index].value == index + 1 && array[index] == index + 1 && copy[index] == index)
    }
  }

  /// When the first segment has its full size, no element moves.
  @Test func elementsDoNotMove() {
    var array = SegmentedArray<Int>()
    for number in 0..<2_000 { array.append(number) }
    func address(_ index: Int) -> UnsafeRawPointer {
      unsafe withUnsafeMutablePointer(to: &array[index]) { UnsafeRawPointer($0) }
    }
    let addresses = unsafe [0, 1_023, 1_024, 1_999].map { unsafe address($0) }
    for number in 2_000..<100_000 { array.append(number) }
    for (index, former) in unsafe zip([0, 1_023, 1_024, 1_999], addresses) {
      #expect(unsafe address(index) == former && array[index] == index)
    }
    while array.count > 1_500 { _ = array.removeLast() }
    for number in 1_500..<5_000 { array.append(number) }
    #expect(unsafe address(1_024) == addresses[2])
    #expect(array.elementsEqual(0..<5_000))
  }
}
