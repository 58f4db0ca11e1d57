import SeededRandom
import TestSize
import Testing

@testable import Atoms

/// The table that finds the members of a family (A32).
@Suite struct LinearHashTableTests {
  /// An insertion holds the lock of the family, so it must not move many elements.
  @Test func anInsertionMovesAFewElements() {
    var table = LinearHashTable<Int>()
    var (moves, most) = (0, 0)
    for number in 0..<100_000 {
      table.insert(number, number)
      most = max(most, table.moveCount - moves)
      moves = table.moveCount
    }
    // Consecutive numbers fill all buckets equally.
    #expect(most <= 5 && moves > 100_000)
    #expect((0..<100_000).allSatisfy { table.elements($0) == [$0] } && table.elements(100_000) == [])
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func matchesADictionary(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var table = LinearHashTable<Int>()
    var model: [Int: [Int]] = [:]
    let hashCount = 10 << random.below(11)
    for step in 0..<TestSize.length(20_000, short: 4_000) {
      // Hash values can be negative.
      let hash = (random.below(hashCount) - hashCount / 2) &* 0x9E37_79B9
      if random.below(3) == 0 {
        let (removed, rest) = ((model[hash] ?? []).filter { $0 % 2 == 0 }, (model[hash] ?? []).filter { $0 % 2 != 0 })
        #expect(table.remove(hash) { $0 % 2 == 0 } == removed)
        model[hash] = rest
      } else {
        table.insert(step, hash)
        model[hash, default: []].append(step)
      }
      #expect(table.elements(hash) == model[hash] ?? [])
    }
    #expect(table.count == model.values.joined().count)
    var taken: [Int: [Int]] = [:]
    for _ in 0..<table.bucketCount {
      for slot in table.nextBucket() { taken[slot.hash, default: []].append(slot.element) }
    }
    #expect(taken == model.filter { !$0.value.isEmpty })
  }

  @Test func shrinks() {
    var table = LinearHashTable<Int>()
    for number in 0..<100_000 { table.insert(number, number &* 0x9E37_79B9) }
    #expect(table.bucketCount > 40_000)
    for number in 10..<100_000 { #expect(table.remove(number &* 0x9E37_79B9) { $0 == number } == [number]) }
    #expect(table.count == 10 && table.bucketCount <= 40)
    #expect((0..<10).allSatisfy { table.elements($0 &* 0x9E37_79B9) == [$0] })
    for number in 10..<1_000 { table.insert(number, number &* 0x9E37_79B9) }
    #expect((0..<1_000).allSatisfy { table.elements($0 &* 0x9E37_79B9) == [$0] })
  }

  /// The table remains small if each insertion also removes the unneeded elements of two buckets.
  @Test func elementsThatAreGoneRemainAMinority() {
    var table = LinearHashTable<Int>()
    for number in 0..<TestSize.length(200_000, short: 50_000) {
      table.insert(number, number &* 0x9E37_79B9)
      for slot in table.nextBucket() + table.nextBucket() where slot.element < number - 1_000 {
        #expect(table.remove(slot.hash) { $0 == slot.element } == [slot.element])
      }
    }
    #expect(table.count < 2_000 && table.bucketCount < 2_000)
  }
}
