import ActorStoreEvents
import Testing

@Suite struct IdentifiedArrayTests {
  @Test func isEqualOnlyInTheSameOrder() {
    let array: IdentifiedArray = [Item(1, 0), Item(2, 0)]
    var other = IdentifiedArray(uniqueElements: [Item(2, 0), Item(1, 0)])
    #expect(array != other)
    other.reverse()
    #expect(array == other)
    #expect(array.hashValue == other.hashValue)
    other.removeFirst()
    other.insert(Item(1, 0), at: 0)
    #expect(array == other, "how an array was made has no influence")
    #expect(array.hashValue == other.hashValue)
  }

  @Test func e10_combinesElementsWithOneID() throws {
    let items = [Item(1, 10), Item(2, 20), Item(1, 30), Item(1, 40)]
    let sums = IdentifiedArray(items) { Item($0.id, $0.value + $1.value) }
    #expect(sums.elements == [Item(1, 80), Item(2, 20)])
    #expect(throws: Refusal.self) {
      try IdentifiedArray(items) { _, _ throws(Refusal) in throw Refusal() }
    }
    #expect(IdentifiedArray([Item]()) { $1 }.isEmpty)
  }

  /// The compiler prefers `filter` of the identified array to that of sequences.
  @Test func filtersToAnArrayOfTheSameType() throws {
    let array: IdentifiedArray = [Item(1, 0), Item(2, 0), Item(3, 0)]
    let odd = array.filter { $0.id % 2 == 1 }
    #expect(type(of: odd) == IdentifiedArray<Item>.self)
    #expect(odd.index(id: 3) == 1)
    #expect(throws: Refusal.self) { try array.filter { _ throws(Refusal) in throw Refusal() } }
    #expect(type(of: array.sorted()) == [Item].self)
  }

  /// The names are those of `Identifiable`'s requirements, so an ID may be of any type.
  @Test func acceptsIDsOfAnyHashableType() {
    struct Named: Identifiable {
      let name: String
      var id: [String] { [name] }
    }
    final class Object: Identifiable {}
    var named: IdentifiedArray = [Named(name: "a"), Named(name: "b")]
    named[id: ["a"]] = nil
    #expect(named.ids == [["b"]])
    let objects = [Object(), Object()]
    var array = IdentifiedArray(uniqueElements: objects)
    array.swapAt(0, 1)
    #expect(array.index(id: objects[0].id) == 1)
  }

  @Test func isReachedThroughKeyPaths() {
    var array: IdentifiedArray = [Item(1, 10), Item(2, 20)]
    let path: WritableKeyPath<IdentifiedArray<Item>, Item?> = \.[id: 2]
    array[keyPath: path]?.value = 21
    array[keyPath: \.[0].value] = 11
    #expect(array.elements == [Item(1, 11), Item(2, 21)])
    array[keyPath: path] = nil
    #expect(array.ids == [1])
  }

  @Test func keepsTheReservedMemory() {
    var array = IdentifiedArray<Item>()
    array.reserveCapacity(100)
    #expect(array.elements.capacity >= 100)
    array.append(Item(1, 1))
    array.removeAll(keepingCapacity: true)
    #expect(array.elements.capacity >= 100)
    array.removeAll()
    #expect(array.elements.capacity == 0)
  }

  @Test func isSendableIfItsElementsAre() {
    func accept(_ value: some Sendable) {}
    accept(IdentifiedArray<Item>())
  }
}
