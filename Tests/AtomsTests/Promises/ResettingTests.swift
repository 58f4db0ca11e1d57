import Testing

@testable import Atoms

/// A reset sets the default value, after the closures that can change it (A23).
@Suite struct ResettingTests {
  private let store = AtomStore()

  @Test func a23_aResetSetsTheDefaultValueAndNotifies() {
    let (a, seen) = (Atom(1), Recorder<Int>())
    let double = DerivedAtom { a.value * 2 }
    let observation = store.observe(double) { seen.add($0) }
    store.set(a, 5)
    store.reset(a)
    store.reset(a)
    store.callAsCurrent {
      a.value = 7
      a.reset()
    }
    #expect(store.get(a) == 1 && seen.all == [2, 10, 2, 14, 2])
    observation.cancel()
  }

  @Test func a23_closuresChangeTheDefaultValueInOrder() {
    let a = Atom(1).onReset { $0 += 10 }.onReset { $0 *= 2 }
    #expect(store.get(a) == 1)
    store.reset(a)
    #expect(store.get(a) == 22)
    store.reset(a)
    #expect(store.get(a) == 22)
    let percent = WillSetAtom(500) { min($0, 100) }.onReset { $0 += 1 }
    store.set(percent, 300)
    store.reset(percent)
    #expect(store.get(percent) == 501)
  }

  @Test func a23_aResetIsPartOfATransaction() {
    let (a, seen) = (Atom(1), Recorder<Int>())
    store.set(a, 5)
    let observation = store.observe(a) { seen.add($0) }
    #expect(throws: Stop.self) {
      try store.transaction {
        a.reset()
        #expect(a.value == 1)
        throw Stop()
      }
    }
    #expect(store.get(a) == 5)
    store.transaction {
      a.reset()
      a.value += 1
    }
    #expect(seen.all == [5, 2])
    observation.cancel()
  }

  @Test func a23_aResetOfAllAtomsIsOneTransaction() {
    let (a, b, seen) = (Atom(1).onReset { $0 += 10 }, Atom(2), Recorder<[Int]>())
    let percent = WillSetAtom(3) { min($0, 100) }
    let (unused, unusedResets) = (Atom(4), Tally())
    let other = unused.onReset { _ in unusedResets.add() }
    let all = DerivedAtom { [a.value, b.value, percent.value] }
    let observation = store.observe(all) { seen.add($0) }
    store.transaction {
      a.value = 10
      b.value = 20
      percent.value = 300
    }
    let revision = store.graph.revision
    store.resetAll()
    #expect(store.graph.revision == revision + 1)
    #expect(seen.all == [[1, 2, 3], [10, 20, 100], [11, 2, 3]])
    // An atom without a value here is not reset.
    #expect(unusedResets.value == 0 && store.get(other) == 4)
    observation.cancel()
  }

  @Test func a23_aResetOfAllAtomsForgetsWhatSettersWereSetTo() {
    let (source, target) = (Atom(1), Atom(0))
    let copy = GetSetAtom {
      target.value
    } set: {
      target.value = $0 * source.value
    }
    store.set(copy, 5)
    store.set(source, 2)
    #expect(store.get(target) == 10)
    store.resetAll()
    #expect(store.get(target) == 0 && store.get(source) == 1)
    store.set(source, 3)
    #expect(store.get(target) == 0)
  }

  @Test func a23_aResetConcernsOneStore() {
    let (a, other) = (Atom(1), AtomStore())
    store.set(a, 5)
    other.set(a, 6)
    store.resetAll()
    #expect(store.get(a) == 1 && other.get(a) == 6)
  }

  @Test func a23_aResetOfAllAtomsSetsASetterToTheResultOfItsClosures() {
    let (source, target) = (Atom(1), Atom(0))
    let copy = GetSetAtom {
      target.value
    } set: {
      target.value = $0 * source.value
    }.onReset { $0 += 3 }
    store.set(copy, 5)
    store.set(source, 2)
    store.resetAll()
    #expect(store.get(target) == 3)
    store.set(source, 4)
    #expect(store.get(target) == 12)
  }

  @Test func a23_aResetRunsAgainIfTheCurrentValueOfASetterHasChanged() {
    let (target, tries) = (Atom(1), Tally())
    let copy = GetSetAtom {
      target.value
    } set: {
      target.value = $0
    }.onReset { [store] value in
      if tries.next() == 1 { Evaluation.setAside { store.set(target, 100) } }
      value += 3
    }
    #expect(store.get(copy) == 1)
    store.reset(copy)
    #expect(store.get(target) == 103 && tries.value == 2)
  }
}
