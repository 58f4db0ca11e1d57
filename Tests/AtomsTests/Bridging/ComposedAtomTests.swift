import ActorStore
import ActorStoreTesting
import TestSize
import Testing

@testable import Atoms

/// Atoms of closures, inputs, families, comparisons, and whole states (A35).
@Suite struct ComposedAtomTests {
  private struct Shop: Sendable {
    var lines = [1, 2]
    var prices = [1: 10, 2: 20]
    var note = ""
  }

  private let atoms = AtomStore()
  private let shop = Store(Shop())
  private let runs = Tally()

  private var selections: SharedSelections {
    shop.selectionUse(of: SelectionNode(\Shop.note), by: AtomReader()).selections
  }

  @Test func a35_atomsAndStreamsOfOneSelectionShareIt() async {
    let total = Selection(\Shop.lines, \.prices) { [runs] lines, prices in
      runs.add()
      return lines.reduce(0) { $0 + (prices[$1] ?? 0) }
    }
    let (atom, values) = (shop.select(total).atom, shop.select(total).values)
    let writable = shop.select(total).atom { $0.lines = [$1] }
    let wanted = DerivedAtom { atom.value * 2 }
    #expect(atoms.get(wanted) == 60 && runs.value == 1)
    #expect(shop.select(total).atom.definition === atom.definition)
    await shop.dispatch { $0.note = "a" }
    #expect(atoms.get(wanted) == 60 && runs.value == 1)
    await shop.dispatch { $0.lines = [2] }
    #expect(atoms.get(wanted) == 40 && atoms.get(writable) == 20 && runs.value == 2)
    atoms.set(writable, 1)
    await shop.dispatch { _ in }
    #expect(atoms.get(wanted) == 20 && runs.value == 3)
    withExtendedLifetime(values) {}
  }

  @Test func a35_aComparisonDecidesWhatChangesAnAtom() async {
    let lines = Selection(\Shop.lines)
    let size = SelectionComparison<[Int]>.by { $0.count == $1.count }
    let (atom, all) = (shop.select(lines, size).atom, shop.select(lines).atom)
    #expect(shop.select(lines, size).atom.definition === atom.definition)
    #expect(all.definition !== atom.definition)
    #expect(atoms.get(atom) == [1, 2] && atoms.get(all) == [1, 2])
    await shop.dispatch { $0.lines = [3, 4] }
    #expect(atoms.get(atom) == [1, 2] && atoms.get(all) == [3, 4])
    await shop.dispatch { $0.lines = [5] }
    #expect(atoms.get(atom) == [5] && atoms.get(all) == [5])
  }

  @Test func a35_anAtomOfTheWholeState() async {
    let (one, other) = (shop.select().atom, shop.select().atom)
    #expect(one.definition === other.definition && atoms.get(one).lines == [1, 2])
    await shop.dispatch { $0.lines = [] }
    #expect(atoms.get(one).lines == [])
  }

  @Test func a35_pastParametersOfAtomsLeaveNothingBehind() async {
    let price = Selection.family { (item: Int) in Selection<Shop, [Int: Int]>(\.prices).map { $0[item] } }
    let kept = shop.select(price(1)).atom
    #expect(atoms.get(kept) == 10 && shop.select(price(1)).atom.definition === kept.definition)
    for item in 0..<TestSize.count(5_000, few: 1_000) {
      let atom = shop.select(price(item)).atom
      #expect(atoms.get(atom) == atoms.get(shop.select(\.prices).atom)[item])
    }
    // The store has yet to release some of the last atoms (A32).
    #expect(selections.counts.selections < 100)
    await shop.dispatch { $0.prices[1] = 11 }
    #expect(atoms.get(kept) == 11)
  }

  /// Under any schedule, an atom of a composed selection and a stream of it agree, and never mix two commits.
  @Test func a35_composedAtomsUnderAnySchedule() throws {
    try Simulation.explore(schedules: TestSize.count(200, few: 60)) {
      let (atoms, store) = (AtomStore(), Store([0, 0]))
      let sum = Selection(\[Int].first, \.last) { ($0 ?? 0) + ($1 ?? 0) }
      async let seen = Simulation.task {
        let (atom, double) = (store.select(sum).atom, store.select(sum.map { $0 * 2 }).atom)
        let pairs = (0..<3).map { _ in atoms.snapshot { (atom.value, double.value) } }
        return pairs.allSatisfy { $0 * 2 == $1 && $0 % 2 == 0 }
      }.value
      async let first = Simulation.task { () -> Int? in
        for await value in store.select(sum).values { return value }
        return nil
      }.value
      for number in 1...2 { await store.dispatch { $0 = [number, number] } }
      let (isSame, early) = (await seen, await first)
      try Simulation.expect(isSame && (early ?? 1) % 2 == 0)
      try Simulation.expect(atoms.get(store.select(sum).atom) == 4)
    }
  }
}
