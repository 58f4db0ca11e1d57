import Testing

@testable import Atoms

/// Atoms with a setter or a transformation (A21, A22).
@Suite struct WritableDerivedTests {
  private let store = AtomStore()

  // MARK: Setters

  /// The name of a person, which can be set as a whole.
  private func makeName(_ first: Atom<String>, _ last: Atom<String>) -> GetSetAtom<String> {
    GetSetAtom {
      first.value + " " + last.value
    } set: { name in
      let parts = name.split(separator: " ")
      first.value = String(parts[0])
      last.value = String(parts[1])
    }
  }

  @Test func a21_allSetsOfASetterAreOneRevision() {
    let (first, last, seen) = (Atom("Ada"), Atom("Lovelace"), Recorder<String>())
    let name = makeName(first, last)
    let observation = store.observe(name) { seen.add($0) }
    let revision = store.graph.revision
    store.set(name, "Grace Hopper")
    #expect(store.graph.revision == revision + 1)
    store.set(last, "Kelly")
    #expect(seen.all == ["Ada Lovelace", "Grace Hopper", "Grace Kelly"])
    #expect(store.get(first) == "Grace" && store.get(name) == "Grace Kelly")
    observation.cancel()
  }

  @Test func a21_aSetterIsPartOfATransaction() {
    let (first, last) = (Atom("Ada"), Atom("Lovelace"))
    let name = makeName(first, last)
    #expect(throws: Stop.self) {
      try store.transaction {
        name.value = "Grace Hopper"
        #expect(first.value == "Grace" && name.value == "Grace Hopper")
        Evaluation.setAside { #expect(store.get(name) == "Ada Lovelace") }
        throw Stop()
      }
    }
    #expect(store.get(name) == "Ada Lovelace")
    store.update(name) { $0 += "-Byron" }
    #expect(store.get(last) == "Lovelace-Byron")
  }

  /// Selects an element of a list by its index.
  private func makeIndex(_ list: Atom<[String]>, _ selected: Atom<String>) -> GetSetAtom<Int> {
    GetSetAtom {
      list.value.firstIndex(of: selected.value) ?? -1
    } set: { index in
      selected.value = list.value[index]
    }
  }

  @Test func a21_aSetterRunsAgainInTheRevisionOfAChange() {
    let (list, selected, seen) = (Atom(["a", "b"]), Atom(""), Recorder<String>())
    let index = makeIndex(list, selected)
    store.set(index, 1)
    let both = DerivedAtom { "\(selected.value) of \(list.value.joined())" }
    let observation = store.observe(both) { seen.add($0) }
    let revision = store.graph.revision
    store.set(list, ["x", "y"])
    #expect(store.graph.revision == revision + 1)
    store.transaction { list.update { $0.append("z") } }
    #expect(store.get(index) == 1)
    #expect(seen.all == ["b of ab", "y of xy", "y of xyz"])
    observation.cancel()
  }

  @Test func a21_aSetterThatIsRolledBackOrResetDoesNotRunAgain() {
    let (list, selected) = (Atom(["a", "b"]), Atom("a"))
    let index = makeIndex(list, selected)
    #expect(throws: Stop.self) {
      try store.transaction {
        index.value = 1
        throw Stop()
      }
    }
    store.set(list, ["x", "y"])
    #expect(store.get(selected) == "a")
    store.set(index, 1)
    #expect(store.get(selected) == "y")
    store.reset(index)
    store.set(list, ["p", "q"])
    #expect(store.get(selected) == "y" && store.get(index) == -1)
  }

  /// Adds to a sum, which the setter therefore reads and sets.
  private func makeAddition(to sum: Atom<Int>, _ factor: Atom<Int>) -> GetSetAtom<Int> {
    GetSetAtom {
      sum.value
    } set: {
      sum.value += $0 * factor.value
    }
  }

  @Test func a21_anAtomThatTheSetterSetsDoesNotCauseAnotherRun() {
    let (sum, factor) = (Atom(10), Atom(1))
    let addition = makeAddition(to: sum, factor)
    store.set(addition, 5)
    #expect(store.get(sum) == 15)
    store.set(sum, 100)
    #expect(store.get(sum) == 100)
  }

  @Test func a21_settersThatNeverEndAreReported() {
    let (one, other, problems) = (Atom(0), Atom(0), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    let first = GetSetAtom {
      one.value
    } set: {
      one.value = other.value + $0
    }.debugLabel("first")
    let second = GetSetAtom {
      other.value
    } set: {
      other.value = one.value + $0
    }.debugLabel("second")
    store.set(first, 1)
    #expect(problems.all.isEmpty && store.get(one) == 1)
    store.set(second, 1)
    guard case .endlessSetters(let labels) = problems.all.first else {
      Issue.record("\(problems.all)")
      return
    }
    #expect(problems.all.count == 1 && !labels.isEmpty && Set(labels).isSubset(of: ["first", "second"]))
  }

  // MARK: Transformations

  @Test func a22_aTransformedValueIsStoredAndCompared() {
    let (percent, seen) = (WillSetAtom(0) { min(max($0, 0), 100) }, Recorder<Int>())
    let observation = store.observe(percent) { seen.add($0) }
    for value in [-5, 50, 300, 200, 100, 99] { store.set(percent, value) }
    #expect(seen.all == [0, 50, 100, 99])
    store.update(percent) { $0 += 10 }
    store.transaction { percent.value -= 10 }
    #expect(seen.all == [0, 50, 100, 99, 100, 90])
    observation.cancel()
  }

  @Test func a22_theInitialValueIsNotTransformed() {
    let percent = WillSetAtom(500) { min($0, 100) }
    #expect(store.get(percent) == 500)
    store.set(percent, 500)
    #expect(store.get(percent) == 100)
  }

  @Test func a22_aTransformationRunsAgainOnTheLastSetValue() {
    let (limit, seen) = (Atom(100), Recorder<Int>())
    let percent = WillSetAtom(-1) { min($0, limit.value) }
    let observation = store.observe(percent) { seen.add($0) }
    store.set(limit, 90)
    store.set(percent, 300)
    store.set(limit, 150)
    store.set(limit, 400)
    store.set(limit, 500)
    #expect(seen.all == [-1, 90, 150, 300])
    observation.cancel()
  }

  @Test func a22_aResetStoresTheDefaultUntransformedAndNotifies() {
    let (limit, seen) = (Atom(100), Recorder<Int>())
    let percent = WillSetAtom(500) { min($0, limit.value) }
    let observation = store.observe(percent) { seen.add($0) }
    store.set(percent, 300)
    store.reset(percent)
    store.set(limit, 50)
    #expect(seen.all == [500, 100, 500])
    observation.cancel()
  }
}
