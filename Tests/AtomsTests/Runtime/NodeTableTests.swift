import SeededRandom
import Synchronization
import TestSize
import Testing

@testable import Atoms

/// The table that finds the nodes of a store (A4).
@Suite struct NodeTableTests {
  private final class Flag: Sendable { let value = Atomic(false) }

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
    // Each larger buffer was prepared, and each smaller one was left.
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

  /// A reader finds the right value or none, while buffers take turns.
  @Test func aReaderNeverFindsAWrongValue() async {
    let table = NodeTable()
    for number in 0..<100 { table.insert(key(number), UInt(number + 1)) }
    let isDone = Flag()
    let found = await withTaskGroup(of: (right: Int, wrong: Int).self) { group in
      for _ in 0..<2 {
        group.addTask {
          var (right, wrong, number) = (0, 0, 0)
          while !isDone.value.load(ordering: .relaxed) || right == 0 {
            let value = table.find(key(number))
            if value == UInt(number + 1) { right += 1 } else if value != 0 { wrong += 1 }
            number = (number + 1) % 100
          }
          return (right, wrong)
        }
      }
      for round in 1...TestSize.length(2_000, short: 200) {
        for number in 0..<100 { table.insert(key(1_000 * round + number), 7) }
        for number in 0..<100 { table.remove(key(1_000 * round + number)) }
      }
      isDone.value.store(true, ordering: .relaxed)
      return await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.right, $0.1 + $1.wrong) }
    }
    #expect(found.0 > 0 && found.1 == 0)
  }
}
