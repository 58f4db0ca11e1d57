import SeededRandom
import Synchronization
import TestSize
import Testing

@testable import Atoms

/// The table that finds the nodes of a store (A4).
@Suite struct NodeTableTests {
  private func key(_ number: Int) -> UInt { UInt(number + 1) << 4 }

  /// An insertion holds the store's lock, so it must not move all entries.
  @Test func anInsertionTakesConstantTime() {
    let table = NodeTable()
    var longest = 0
    for number in 0..<100_000 {
      let former = table.stepCount
      table.insert(key(number), UInt(number + 1))
      longest = max(longest, table.stepCount - former)
    }
    #expect(longest == NodeTable.stepsPerInsertion)
    // Each larger buffer was prepared, and the entries of each smaller one moved.
    #expect(table.stepCount > 200_000 && table.count == 100_000)
    #expect((0..<100_000).allSatisfy { table.find(key($0)) == UInt($0 + 1) })
  }

  /// Two buffers of the same size take turns.
  @Test func removedEntriesLeaveNothingBehind() {
    let table = NodeTable()
    for number in 0..<1_000 { table.insert(key(number), 1) }
    let buffers = table.bufferCount
    for number in 1_000..<200_000 {
      table.remove(key(number - 1_000))
      table.insert(key(number), 1)
    }
    #expect(table.count == 1_000 && table.bufferCount <= buffers + 2)
    #expect((198_000..<201_000).allSatisfy { table.find(key($0)) == (199_000..<200_000 ~= $0 ? 1 : 0) })
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func matchesADictionary(_ seed: UInt64) {
    var random = SplitMix64(seed)
    let table = NodeTable()
    var model: [UInt: UInt] = [:]
    let keyCount = 10 << random.below(11)
    for step in 1...20_000 {
      let key = key(random.below(keyCount))
      if model[key] == nil, random.below(4) != 0 {
        table.insert(key, UInt(step))
        model[key] = UInt(step)
      } else if random.below(3) != 0 {
        table.remove(key)
        model[key] = nil
      }
      if step % 1_000 == 0 {
        #expect((0..<keyCount).allSatisfy { table.find(self.key($0)) == model[self.key($0)] ?? 0 })
      }
      #expect(table.find(key) == model[key] ?? 0 && table.count == model.count)
    }
  }

  /// A reader finds the right value or none, while two small buffers take turns.
  ///
  /// On a machine with fewer processors than threads, readers are also preempted in the middle of a search.
  @Test func aReaderNeverFindsAWrongValue() {
    let table = NodeTable()
    // Keys that collide in small buffers, so that another key often takes the former slot of one of them.
    let keys = (0..<1_000).map(key).filter { ($0 >> 4 &* 0x9E37_79B9_7F4A_7C15) >> 32 & 15 == 3 }
    let stable = Array(keys.prefix(4))
    for index in 0..<4 { table.insert(stable[index], UInt(index + 1)) }
    let isDone = Atomic(false)
    let right = Atomic(0)
    let wrong = Atomic(0)
    inThreads(5) { index in
      if index == 0 {
        for round in 1...TestSize.length(1_000_000, short: 50_000) {
          let other = round % 2 == 0 ? keys[4 + round % 40] : key(1_000 + round)
          table.insert(other, 1_000)
          table.remove(other)
        }
        isDone.store(true, ordering: .relaxed)
      }
      var number = 0
      while index > 0, !isDone.load(ordering: .relaxed) {
        let value = table.find(stable[number])
        if value == UInt(number + 1) {
          right.wrappingAdd(1, ordering: .relaxed)
        } else if value != 0 {
          wrong.wrappingAdd(1, ordering: .relaxed)
        }
        number = (number + 1) % 4
      }
    }
    #expect(right.load(ordering: .relaxed) > 0 && wrong.load(ordering: .relaxed) == 0)
  }
}
