import SeededRandom
import Testing

@testable import Atoms

/// A stack that keeps its memory.
@Suite struct StackTests {
  @Test(arguments: 0..<20 as Range<UInt64>) func matchesAnArray(_ seed: UInt64) {
    var random = SplitMix64(seed)
    var stack = Stack<Int>()
    var model: [Int] = []
    for step in 0..<2_000 {
      switch random.below(8) {
      case 0...3:
        stack.append(step)
        model.append(step)
      case 4:
        #expect(stack.popLast() == model.popLast())
      case 5 where !model.isEmpty:
        stack.removeLast()
        model.removeLast()
      case 6 where random.below(20) == 0:
        let count = random.below(model.count + 1)
        stack.removeAll(from: count)
        model.removeLast(model.count - count)
      default:
        if model.isEmpty { continue }
        let index = random.below(model.count)
        stack[index] += 1
        model[index] += 1
      }
      #expect(stack.count == model.count && stack.last == model.last && stack.isEmpty == model.isEmpty)
      let start = random.below(model.count + 1)
      #expect(stack[start...].elementsEqual(model[start...]))
    }
    #expect(stack.elementsEqual(model) && stack.capacity >= stack.count)
  }

  @Test func equalityIgnoresRemovedElements() {
    var (one, other) = (Stack<Int>(), Stack<Int>())
    one.append(1)
    other.append(1)
    other.append(2)
    #expect(one != other)
    other.removeLast()
    #expect(one == other && one.hashValue == other.hashValue && Array(other) == [1])
  }

  @Test func copiesAreIndependent() {
    var stack = Stack<Int>()
    stack.append(1)
    var copy = stack
    copy[0] = 2
    copy.append(3)
    stack.removeLast()
    stack.append(4)
    #expect(Array(stack) == [4] && Array(copy) == [2, 3])
    // Both share memory with a removed element.
    copy.removeLast()
    stack = copy
    copy.append(5)
    stack.append(6)
    #expect(Array(stack) == [2, 6] && Array(copy) == [2, 5])
  }

  @Test func keepsItsMemory() {
    var stack = Stack<Int>()
    for number in 0..<100 { stack.append(number) }
    let capacity = stack.capacity
    stack.removeAll(from: 0)
    #expect(stack.isEmpty && stack.capacity == capacity)
  }
}
