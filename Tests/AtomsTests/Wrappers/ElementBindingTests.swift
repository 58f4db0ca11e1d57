import ActorStoreTesting
import Testing

@testable import Atoms

/// Bindings to the elements of a collection (A39).
///
/// A test that reads the atom after its last use of a binding extends the lifetime of the binding. Otherwise, an
/// optimized build may release the binding early, and the store then forgets the atom's value.
@Suite struct ElementBindingTests {
  private let store = AtomStore()
  private let problems = Recorder<AtomProblem>()
  private let items = Item.makeAtom()

  init() { store.onProblem = { [problems] in problems.add($0) } }

  private var binding: AtomBinding<[Item]> { store.callAsCurrent { UseAtom(items).projectedValue } }
  private var names: [String] { store.get(items).map(\.name) }

  private func missing(_ element: String) -> AtomProblem { .missingElement(element, of: "items") }

  // MARK: Identity

  @Test func a39_aBindingByIdentityFollowsTheElement() throws {
    let b = try #require(binding.element(id: 2))
    #expect(b.wrappedValue.name == "b" && b.id == 2)
    store.update(items) { $0.swapAt(0, 1) }
    b.name.wrappedValue = "B"
    #expect(names == ["B", "a", "c"] && b.wrappedValue.name == "B")
    store.update(items) { $0.insert(Item(id: 4, name: "d"), at: 0) }
    b.wrappedValue.name += "!"
    #expect(names == ["d", "B!", "a", "c"] && b.name.wrappedValue == "B!" && problems.all.isEmpty)
    #expect(binding.element(id: 5) == nil)
  }

  @Test func a39_aBindingToARemovedElementHasTheLastValueAndIgnoresSets() throws {
    let changes = Tally()
    let observation = store.observe(items, skip: 1) { _ in changes.add() }
    let b = try #require(binding.element(id: 2))
    b.name.wrappedValue = "B"
    store.update(items) { $0.remove(at: 1) }
    #expect(b.wrappedValue.name == "B" && b.id == 2 && changes.value == 2)
    b.name.wrappedValue = "late"
    b.wrappedValue = Item(id: 2, name: "later")
    #expect(names == ["a", "c"] && b.name.wrappedValue == "B" && changes.value == 2)
    #expect(problems.all == [missing("the element with the ID 2"), missing("the element with the ID 2")])
    store.update(items) { $0.append(Item(id: 2, name: "new")) }
    #expect(b.name.wrappedValue == "new")
    b.name.wrappedValue = "again"
    #expect(names == ["a", "c", "again"] && problems.all.count == 2)
    observation.cancel()
  }

  @Test func a39_theElementsAreBoundByIdentity() {
    let rows = binding.elements
    #expect(rows.map(\.id) == [1, 2, 3])
    store.update(items) { $0.reverse() }
    for row in rows { row.name.wrappedValue += "\(row.id)" }
    #expect(names == ["c3", "b2", "a1"] && rows.map(\.name.wrappedValue) == ["a1", "b2", "c3"])
    store.set(items, [])
    #expect(rows.map(\.name.wrappedValue) == ["a1", "b2", "c3"] && binding.elements.isEmpty && problems.all.isEmpty)
    withExtendedLifetime(rows) {}
  }

  @Test func a39_anIDBelongsToTheFirstOfSeveralElements() {
    store.set(items, [Item(id: 1, name: "a"), Item(id: 2, name: "b"), Item(id: 1, name: "c")])
    let rows = binding.elements
    #expect(rows.map(\.name.wrappedValue) == ["a", "b"])
    #expect(problems.all == [.duplicateID("1", in: "items")])
    store.update(items) { $0.swapAt(0, 1) }
    for row in rows { row.name.wrappedValue += "!" }
    #expect(names == ["b!", "a!", "c"])
    withExtendedLifetime(rows) {}
  }

  @Test func a39_anElementCanBePartOfAPart() throws {
    struct Group: Identifiable, Sendable {
      let id: String
      var items: [Item]
    }
    struct Model: Sendable {
      var groups: [Group]
    }
    let model = Atom(Model(groups: [Group(id: "x", items: []), Group(id: "y", items: [Item(id: 1, name: "a")])]))
      .debugLabel("items")
    let binding = store.callAsCurrent { UseAtom(model).projectedValue }
    let item = try #require(binding.groups.element(id: "y")?.items.element(id: 1))
    store.update(model) { $0.groups.swapAt(0, 1) }
    item.name.wrappedValue = "b"
    #expect(store.get(model).groups[0].items[0].name == "b")
    store.update(model) { $0.groups.removeFirst() }
    item.name.wrappedValue = "c"
    #expect(item.name.wrappedValue == "b" && problems.all == [missing("the element with the ID y")])
  }

  /// A read of a binding is a dependency, whether or not the element has moved.
  @Test func a39_aDerivationFollowsABinding() throws {
    let c = try #require(binding.element(id: 3))
    let shout = DerivedAtom { c.name.wrappedValue.uppercased() }
    #expect(store.get(shout) == "C")
    store.update(items) { $0.removeFirst() }
    #expect(store.get(shout) == "C")
    c.name.wrappedValue = "d"
    #expect(store.get(shout) == "D")
  }

  /// n bindings find their elements in a number of steps that is proportional to n, even if each is elsewhere or gone.
  @Test(arguments: [100, 1_000]) func a39_manyBindingsFindTheirElementsInLinearTime(count: Int) {
    let uses = Tally()
    let rows = Atom(Row.make(count, uses))
    let bindings = store.callAsCurrent { UseAtom(rows).projectedValue.elements }
    func readAll() -> Int { uses.count { for row in bindings { _ = row.wrappedValue } } }
    #expect(readAll() == count)
    store.update(rows) { $0.reverse() }
    #expect(readAll() < 20 * count)
    store.update(rows) { $0.removeAll { $0.id.number % 2 == 0 } }
    #expect(readAll() < 20 * count)
    #expect(bindings.map(\.wrappedValue.id.number) == Array(0..<count))
  }

  /// Bindings to moving elements change the right ones, and a set of an element is one step.
  @Test func a39_bindingsByIdentityUnderEverySchedule() throws {
    try Simulation.explore(.mixed(seed: 0), schedules: 300) {
      let (store, ignored) = (AtomStore(), Tally())
      store.onProblem = { _ in ignored.add() }
      let items = Atom((1...3).map { Item(id: $0, name: "") })
      let rows = store.callAsCurrent { UseAtom(items).projectedValue.elements }
      await withTaskGroup { group in
        for row in rows {
          group.addTask {
            for _ in 0..<2 {
              row.name.wrappedValue = "\(row.id)"
              await Task.yield()
            }
          }
        }
        group.addTask {
          store.update(items) { $0.swapAt(0, 2) }
          await Task.yield()
          store.update(items) { $0.removeFirst() }
        }
      }
      let all = store.get(items)
      try Simulation.expect(
        all.map(\.id) == [2, 1] && all.allSatisfy { $0.name == "\($0.id)" }, "the items are \(all)")
      try Simulation.expect(ignored.value <= 2, "\(ignored.value) sets were ignored")
      withExtendedLifetime(rows) {}
    }
  }

  // MARK: Indices

  @Test func a39_aBindingByIndexIgnoresSetsOutOfRange() {
    let (last, name) = (binding[2], binding[2].name)
    store.update(items) { $0.swapAt(0, 2) }
    #expect(last.wrappedValue.name == "a" && name.wrappedValue == "a")
    name.wrappedValue = "A"
    store.update(items) { $0.removeLast() }
    #expect(last.wrappedValue.name == "a" && name.wrappedValue == "A" && problems.all.isEmpty)
    name.wrappedValue = "late"
    #expect(names == ["c", "b"] && problems.all == [missing("the element at index 2")])
    store.update(items) { $0.append(Item(id: 4, name: "d")) }
    #expect(last.wrappedValue.name == "d" && name.wrappedValue == "d")
  }

  @Test func a39_anIndexThatWasNeverInRangeIgnoresSets() {
    let fourth = binding[3]
    fourth.wrappedValue = Item(id: 4, name: "d")
    #expect(names == ["a", "b", "c"] && problems.all == [missing("the element at index 3")])
    store.update(items) { $0.append(Item(id: 4, name: "d")) }
    #expect(fourth.wrappedValue.name == "d")
  }

  // MARK: Optionals

  @Test func a39_anUnwrappedBindingHasTheLastValue() throws {
    let item = Atom<Item?>(Item(id: 1, name: "a")).debugLabel("items")
    let binding = store.callAsCurrent { UseAtom(item).projectedValue }
    let name = try #require(binding.unwrapped()?.name)
    name.wrappedValue = "b"
    #expect(store.get(item)?.name == "b")
    store.set(item, nil)
    name.wrappedValue = "c"
    #expect(name.wrappedValue == "b" && store.get(item) == nil && problems.all == [missing("the value")])
    #expect(binding.unwrapped()?.name == nil)
  }

  // MARK: Warnings

  @Test func warningsAreWrittenInAllBuildsAndNeverTrap() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      @UseAtom(Atom([1])) var numbers
      let first = $numbers[0]
      numbers = []
      first.wrappedValue = 2
      precondition(first.wrappedValue == 1 && numbers.isEmpty)
    }
    let message = string(from: result?.standardErrorContent)
    #expect(message.contains("the element at index 0 of"))
    #expect(AtomProblem.duplicateID("", in: "").isWarning && !AtomProblem.injectionInTransaction("").isWarning)
  }
}
