import ActorStoreTesting
import SeededRandom
import Testing

@testable import ActorStore

/// Compares the sparse set with an array, over random operations.
@Suite struct SparseSetTests {
  @Test(arguments: 0..<30 as Range<UInt64>) func matchesAnArray(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var set = SparseSet()
    var model: [Int] = []
    for _ in 0..<500 {
      let member = random.below(20)
      switch random.below(20) {
      case 0:
        set.removeAll()
        model = []
      case 1...10:
        set.insert(member)
        if !model.contains(member) { model.append(member) }
      default:
        set.remove(member)
        if let index = model.firstIndex(of: member) {
          model.swapAt(index, model.count - 1)
          model.removeLast()
        }
      }
      #expect(set.members == model)
      #expect((0..<20).filter(set.contains) == model.sorted())
    }
  }

  @Test func aReverseLoopMayRemoveTheMembersItVisits() {
    var set = SparseSet()
    for member in 0..<10 { set.insert(member) }
    var visited: [Int] = []
    for index in set.members.indices.reversed() {
      let member = set.members[index]
      visited.append(member)
      if member % 2 == 0 { set.remove(member) }
    }
    #expect(visited.sorted() == Array(0..<10))
    #expect(set.members.sorted() == [1, 3, 5, 7, 9])
  }
}
