import ActorStoreEvents
import Testing

/// Counts how often IDs are hashed, with 1,000 elements and with 100,000.
@Suite struct IdentifiedArrayCostTests {
  private final class Counter {
    var hashes = 0
  }

  private struct Counted: Identifiable {
    struct ID: Hashable {
      let number: Int
      let counter: Counter

      static func == (one: Self, other: Self) -> Bool { one.number == other.number }

      func hash(into hasher: inout Hasher) {
        counter.hashes += 1
        hasher.combine(number)
      }
    }

    var id: ID
    var value = 0
  }

  private let counter = Counter()

  private func id(_ number: Int) -> Counted.ID { .init(number: number, counter: counter) }

  private func array(_ count: Int) -> IdentifiedArray<Counted> {
    var array = IdentifiedArray(uniqueElements: (0..<count).map { Counted(id: id($0)) })
    // Otherwise, the dictionary grows during the test, and then hashes all IDs.
    array.reserveCapacity(count + 10)
    return array
  }

  private func hashes(_ body: () -> Void) -> Int {
    counter.hashes = 0
    body()
    return counter.hashes
  }

  @Test(arguments: [1_000, 100_000]) func e10_operationsOnOneElementHashAConstantNumberOfIDs(_ count: Int) {
    var array = array(count)
    #expect(hashes { _ = array.index(id: id(count / 2)) } == 1)
    #expect(hashes { _ = array[id: id(count / 2)]?.value } == 1)
    #expect(hashes { array[id: id(count / 2)]?.value += 1 } == 1)
    #expect(hashes { array.update(id: id(count / 2)) { $0.value += 1 } } == 1)
    #expect(hashes { array[count / 2].value += 1 } == 0)
    #expect(hashes { array.append(Counted(id: id(count))) } == 1)
    #expect(hashes { array.append(Counted(id: id(7))) } == 1)
    #expect(hashes { array.updateOrAppend(Counted(id: id(7), value: 3)) } == 1)
    #expect(hashes { array.swapAt(0, count - 1) } == 2)
  }

  /// Removing an element from a dictionary hashes those that collided with it, so the numbers are not exact.
  @Test(arguments: [1_000, 100_000]) func e10_bothEndsHashAConstantNumberOfIDs(_ count: Int) {
    var array = array(count)
    let rounds = 100
    let removals = hashes {
      for _ in 0..<rounds {
        array.removeFirst()
        array.removeLast()
      }
    }
    #expect(removals < 20 * rounds)
    let insertions = hashes {
      for number in 0..<rounds { array.insert(Counted(id: id(-1 - number)), at: 0) }
    }
    #expect(insertions <= 3 * rounds)
    #expect(array[0].id == id(-rounds) && array[rounds].id == id(rounds))
  }

  /// The smaller part of the array is labeled anew.
  @Test func aRemovalHashesTheSmallerPart() {
    for position in [100, 900] {
      var array = array(1_000)
      let numbers = hashes { array.remove(at: position) }
      #expect((100..<130).contains(numbers))
      #expect((100..<130).contains(hashes { array.insert(Counted(id: id(-1)), at: position) }))
    }
  }

  @Test(arguments: [1_000, 100_000]) func removingManyHashesEachIDAFewTimes(_ count: Int) {
    func removal(_ remove: (inout IdentifiedArray<Counted>) -> Void) -> Int {
      var array = array(count)
      return hashes { remove(&array) }
    }
    let odd = stride(from: 1, to: count, by: 2)
    #expect(removal { $0.removeAll { $0.id.number % 2 == 1 } } < 6 * count)
    #expect(removal { $0.remove(ids: odd.map(id)) } < 6 * count)
    #expect(removal { $0.remove(atOffsets: odd) } < 6 * count)
    #expect(removal { $0.removeSubrange((count / 4)..<(count / 2)) } < 6 * count)
    #expect(removal { $0.insert(contentsOf: odd.map { Counted(id: id($0 + count)) }, at: count / 2) } < 6 * count)
  }
}
