import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Atoms of the elements of a collection (A39).
@Suite struct AtomElementsTests {
  private let store = AtomStore()
  private let problems = Recorder<AtomProblem>()
  private let items = Item.makeAtom()
  private let item: AtomElements<Int, GetSetAtom<Item?>>

  init() {
    item = items.split(id: \.id)
    store.onProblem = { [problems] in problems.add($0) }
  }

  private var names: [String] { store.get(items).map(\.name) }

  @Test func a39_anElementsAtomReadsAndSetsTheElement() {
    #expect(store.get(item.ids) == [1, 2, 3] && store.get(item(2))?.name == "b" && store.get(item(4)) == nil)
    store.update(items) { $0.swapAt(0, 1) }
    store.callAsCurrent { item(2).value?.name = "B" }
    #expect(names == ["B", "a", "c"] && store.get(item.ids) == [2, 1, 3] && store.get(item(2))?.name == "B")
    store.set(item(1), nil)
    #expect(names == ["B", "c"] && store.get(item(1)) == nil && problems.all.isEmpty)
    #expect(item(1).definition === item(1).definition)
  }

  @Test func a39_onlyTheAtomsOfChangedElementsChange() {
    struct Word: Equatable, Sendable {
      let id: Int
      var text: String
    }
    let (words, orders, changed) = (
      Atom([Word(id: 1, text: "a"), Word(id: 2, text: "b")]), Recorder<[Int]>(), Recorder<String?>()
    )
    let word = words.split(id: \.id)
    var observations = [1, 2].map { store.observe(word($0), skip: 1) { changed.add($0?.text) } }
    observations.append(store.observe(word.ids, skip: 1) { orders.add($0) })
    store.update(words) { $0[1].text = "c" }
    #expect(changed.all == ["c"] && orders.all.isEmpty)
    store.update(words) { $0.reverse() }
    #expect(changed.all == ["c"] && orders.all == [[2, 1]])
    store.set(word(1), Word(id: 1, text: "d"))
    #expect(changed.all == ["c", "d"] && orders.all.count == 1)
    store.update(words) { $0.removeFirst() }
    #expect(changed.all == ["c", "d", nil] && orders.all == [[2, 1], [1]])
    for observation in observations { observation.cancel() }
  }

  /// The set must not be remembered either, or it would replace an element that comes later.
  @Test func a39_aSetOfAMissingElementIsIgnored() {
    let changes = Tally()
    let observation = store.observe(items, skip: 1) { _ in changes.add() }
    store.set(item(4), Item(id: 4, name: "late"))
    store.set(item(5), nil)
    #expect(names == ["a", "b", "c"] && changes.value == 0)
    #expect(problems.all == [.missingElement("the element with the ID 4", of: "items")])
    store.update(items) { $0.append(Item(id: 4, name: "new")) }
    store.set(items, store.get(items) + [Item(id: 5, name: "e")])
    #expect(names == ["a", "b", "c", "new", "e"] && changes.value == 2)
    observation.cancel()
  }

  /// A later change of the collection does not set the element again.
  @Test func a39_aSetOfAnElementIsNotRepeated() {
    store.set(item(1), Item(id: 1, name: "A"))
    store.update(items) { $0[0].name = "own" }
    store.update(items) { $0[1].name = "other" }
    #expect(names == ["own", "other", "c"])
  }

  @Test func a39_anIDBelongsToTheFirstOfSeveralElements() {
    let observation = store.observe(item(1), skip: 1) { _ in }
    store.set(items, [Item(id: 1, name: "a"), Item(id: 2, name: "b"), Item(id: 1, name: "c")])
    #expect(store.get(item.ids) == [1, 2] && store.get(item(1))?.name == "a")
    store.set(item(1), Item(id: 1, name: "A"))
    store.set(item(2), Item(id: 2, name: "B"))
    #expect(names == ["A", "B", "c"] && problems.all == [.duplicateID("1", in: "items")])
    store.set(item(1), nil)
    #expect(names == ["B", "c"] && store.get(item(1))?.name == "c" && problems.all.count == 1)
    store.update(items) { $0.append($0[0]) }
    #expect(problems.all == [.duplicateID("1", in: "items"), .duplicateID("2", in: "items")])
    observation.cancel()
  }

  @Test func a39_theElementsOfADerivedAtomCanBeRead() {
    let short = DerivedAtom { items.value.filter { $0.name.count == 1 } }
    let atom: AtomElements<Int, DerivedAtom<Item?>> = short.split(id: \.id)
    #expect(store.get(atom(3))?.name == "c" && store.get(atom.ids) == [1, 2, 3])
    store.set(item(3), Item(id: 3, name: "long"))
    #expect(store.get(atom(3)) == nil && store.get(atom.ids) == [1, 2])
  }

  @Test func a39_aSetOfAnElementKeepsWhatOthersSetMeanwhile() {
    let tries = Tally()
    store.transaction {
      item(1).value?.name = "A"
      if tries.next() == 1 {
        Evaluation.setAside { store.set(item(2), Item(id: 2, name: "B")) }
      }
    }
    #expect(names == ["A", "B", "c"] && tries.value == 2)
  }

  @Test func a39_anElementOfAStoresStateSendsAnAction() async {
    struct State: Sendable {
      var items = [Item(id: 1, name: "a"), Item(id: 2, name: "b")]
    }
    let shop = Store(State())
    let item = shop.select(Selection(\.items), .always).atom { $0.items = $1 }.split(id: \.id)
    store.set(item(1), Item(id: 1, name: "A"))
    await shop.dispatch { _ in }
    #expect(store.get(item(1))?.name == "A")
    await shop.dispatch { $0.items[0].name = "B" }
    let seen = await shop.dispatch { $0.items.map(\.name) }
    #expect(seen.output == ["B", "b"] && store.get(item(1))?.name == "B")
  }

  /// An element's atom, whose value is optional, has a binding without the optional.
  @Test func a39_anElementsAtomHasABinding() throws {
    let binding = store.callAsCurrent { UseAtom(item(2)).projectedValue }
    let name = try #require(binding.unwrapped()?.name)
    store.update(items) { $0.reverse() }
    name.wrappedValue = "B"
    #expect(names == ["c", "B", "a"])
    store.update(items) { $0.removeAll() }
    name.wrappedValue = "late"
    #expect(name.wrappedValue == "B" && names.isEmpty && problems.all.count == 1)
  }

  /// One change of n elements with a watcher each takes a number of steps that is proportional to n.
  @Test(arguments: [100, 1_000]) func a39_aChangeOfManyWatchedElementsTakesLinearTime(count: Int) {
    let (uses, changes) = (Tally(), Tally())
    let rows = Atom(Row.make(count, uses))
    let row = rows.split(id: \.id)
    let ids = store.get(row.ids)
    let observations = ids.map { store.observe(row($0), skip: 1) { _ in changes.add() } }
    #expect(uses.count { store.update(rows) { $0[count - 1].name = "a" } } < 20 * count)
    #expect(uses.count { store.set(row(ids[0]), nil) } < 20 * count)
    #expect(changes.value == 2 * count)
    for observation in observations { observation.cancel() }
  }

  @Test func a39_setsOfElementsUnderEverySchedule() throws {
    try Simulation.explore(.mixed(seed: 1), schedules: 300) {
      let (store, items) = (AtomStore(), Atom((1...3).map { Item(id: $0, name: "") }))
      let item = items.split(id: \.id)
      store.onProblem = { _ in }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...2 {
          group.addTask {
            for _ in 0..<2 {
              store.update(item(id)) { $0?.name += "\(id)" }
              await Task.yield()
            }
          }
        }
        group.addTask {
          store.set(item(3), nil)
          await Task.yield()
          store.update(items) { $0.reverse() }
        }
        group.addTask {
          for _ in 0..<3 {
            let (ids, all) = store.snapshot { (item.ids.value, items.value) }
            let names = store.snapshot { item.ids.value.map { item($0).value?.name } }
            try Simulation.expect(
              ids == all.map(\.id) && !names.contains(nil), "the IDs are \(ids), the names \(names)")
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
      let names = store.get(items).map(\.name)
      try Simulation.expect(names == ["22", "11"], "the names are \(names)")
    }
  }
}
