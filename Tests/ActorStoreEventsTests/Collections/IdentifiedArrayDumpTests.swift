import ActorStore
import ActorStoreEvents
import Testing

@Suite struct IdentifiedArrayDumpTests {
  private struct App: Equatable {
    var items: IdentifiedArray<Item>
  }

  private let array: IdentifiedArray = [Item(1, 10), Item(2, 20)]

  @Test func looksLikeAnArray() {
    #expect(Dump.text(of: array) == Dump.text(of: array.elements))
    #expect(Dump.text(of: App(items: array)) == "App(items: [Item(id: 1, value: 10), Item(id: 2, value: 20)])")
    #expect(array.description == array.elements.description)
    #expect(array.debugDescription == "IdentifiedArray(\(array.elements.debugDescription))")
    #expect(Mirror(reflecting: array).displayStyle == .collection)
  }

  @Test func aDifferenceNamesTheElementsThatDiffer() {
    var other = App(items: array)
    other.items[id: 2]?.value = 21
    other.items.append(Item(3, 30))
    #expect(
      Dump.difference(from: App(items: array), to: other) == """
          App(
            items: [
              … (1 unchanged)
              [1]: Item(
                … (1 unchanged)
        -       value: 20
        +       value: 21
              ),
        +     [2]: Item(id: 3, value: 30)
            ]
          )
        """)
    #expect(Dump.difference(from: other, to: other) == nil)
  }
}
