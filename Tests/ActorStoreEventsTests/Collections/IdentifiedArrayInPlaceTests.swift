import ActorStoreEvents
import Testing

/// Edits copy nothing, as the reference counts of the elements' parts show.
@Suite struct IdentifiedArrayInPlaceTests {
  private final class Part {}

  /// A large structure with a part whose only owner is the array.
  private struct Large: Identifiable {
    typealias Row = (Int, Int, Int, Int, Int, Int, Int, Int)

    var id: Int
    var number = 0
    private var rows: (Row, Row, Row, Row)?
    private var part = Part()

    init(_ id: Int) { self.id = id }

    var isUnique: Bool { mutating get { isKnownUniquelyReferenced(&part) } }
  }

  private var array = IdentifiedArray(uniqueElements: (0..<10).map(Large.init))

  @Test mutating func e10_editingByUpdating() {
    #expect(array.update(id: 3) { $0.isUnique } == true)
  }

  @Test mutating func e10_editingByID() throws {
    let isUnique = array[id: 3]?.isUnique
    #expect(isUnique == true)
    func edit(_ element: inout Large?) -> Bool? { element?.isUnique }
    #expect(edit(&array[id: 3]) == true)
    array[id: 3]?.number = 1
    let number = array[id: 3]?.number
    #expect(number == 1)
  }

  @Test mutating func e10_editingByPosition() {
    let isUnique = array[3].isUnique
    #expect(isUnique)
  }

  @Test mutating func movingElements() {
    array.swapAt(0, 9)
    array.reverse()
    array.sort { $0.id < $1.id }
    array.insert(Large(10), at: 5)
    array.remove(at: 2)
    array.remove(ids: [4, 6])
    array.removeAll { $0.id == 7 }
    array.move(fromOffsets: [0, 2], toOffset: 4)
    for position in array.indices {
      let isUnique = array[position].isUnique
      #expect(isUnique)
    }
  }

  /// A copy keeps its elements, and the edited array then owns its elements alone.
  @Test mutating func e10_editingASharedArray() {
    let copy = array
    array[id: 3]?.number = 1
    array.update(id: 4) { $0.number = 2 }
    #expect(array.map { $0.number } == [0, 0, 0, 1, 2, 0, 0, 0, 0, 0])
    #expect(copy.allSatisfy { $0.number == 0 })
  }
}
