import Testing

@testable import Atoms

/// A derivation runs only for a reader, and only if a value that it read has changed (A6, A7, A8).
@Suite struct DerivingTests {
  private let store = AtomStore()

  // MARK: Laziness

  @Test func a6_aDerivationRunsOnlyForAReader() {
    let (a, runs) = (Atom(0), Tally())
    let double = DerivedAtom { () -> Int in
      runs.add()
      return a.value * 2
    }
    for value in 1...10 { store.set(a, value) }
    #expect(runs.value == 0)
    for _ in 0..<10 { #expect(store.get(double) == 20) }
    #expect(runs.value == 1)
    for value in 11...20 { store.set(a, value) }
    #expect(runs.value == 1)
    #expect(store.get(double) == 40 && runs.value == 2)
  }

  @Test func a6_twoThreadsThatWantAnAtomRunItTwice() {
    let (a, runs, others) = (Atom(1), Tally(), Recorder<Int>())
    let known = Recorder<DerivedAtom<Int>>()
    let double = DerivedAtom { [store] () -> Int in
      let value = a.value
      if runs.next() == 1 { Evaluation.setAside { for atom in known.all { others.add(store.get(atom)) } } }
      return value * 2
    }
    known.add(double)
    #expect(store.get(double) == 2 && others.all == [2] && runs.value == 2)
    #expect(store.get(double) == 2 && runs.value == 2)
    // The closure holds its own atom.
    known.reset()
  }

  // MARK: Checking

  /// See jotai #1956.
  @Test func a7_aSharedDependencyRunsOnceAndEachWatcherIsCalledOnce() {
    let (a, runs, calls) = (Atom(1), Tally(), Recorder<String>())
    let b = DerivedAtom { () -> Int in
      runs.add()
      return a.value * 2
    }
    let c = DerivedAtom { a.value + b.value }
    let d = DerivedAtom { b.value }
    let first = store.observe(c, skip: 1) { calls.add("c is \($0)") }
    let second = store.observe(d, skip: 1) { calls.add("d is \($0)") }
    runs.reset()
    store.set(a, 10)
    #expect(calls.all.sorted() == ["c is 30", "d is 20"])
    #expect(runs.value == 1)
    withExtendedLifetime((first, second)) {}
  }

  private struct Document: Equatable, Sendable {
    var title: String
    var count: Int
  }

  @Test func a7_anEqualResultStopsTheCheckOfALaterDependency() {
    let document = Atom(Document(title: "old", count: 3))
    let (counts, products, totals, calls) = (Tally(), Tally(), Tally(), Tally())
    let count = DerivedAtom { () -> Int in
      counts.add()
      return document.value.count
    }
    let product = DerivedAtom { () -> Int in
      products.add()
      return count.value * 10
    }
    let total = DerivedAtom { () -> Int in
      totals.add()
      return document.value.title.isEmpty ? 0 : product.value
    }
    let observation = store.observe(total, skip: 1) { _ in calls.add() }
    store.set(document, Document(title: "new", count: 3))
    #expect(store.get(total) == 30)
    #expect(counts.value == 2 && products.value == 1 && totals.value == 2 && calls.value == 0)
    observation.cancel()
  }

  @Test func a7_aBranchThatIsNoLongerReadIsNotComputed() {
    let (list, index) = (Atom([1, 2, 3]), Atom<Int?>(2))
    // This closure would trap if it ran without an index.
    let element = DerivedAtom { list.value[index.value!] }
    let shown = DerivedAtom { index.value == nil ? -1 : element.value }
    #expect(store.get(shown) == 3)
    store.transaction {
      list.value = []
      index.value = nil
    }
    #expect(store.get(shown) == -1)
    store.set(list, [7])
    #expect(store.get(shown) == -1)
    store.set(index, 0)
    #expect(store.get(shown) == 7)
  }

  @Test func a7_dependenciesAreCheckedUpToTheFirstThatDiffers() {
    let (isOn, source, runs) = (Atom(true), Atom(1), Tally())
    let costly = DerivedAtom { () -> Int in
      runs.add()
      return source.value * 10
    }
    let result = DerivedAtom { isOn.value ? costly.value : 0 }
    #expect(store.get(result) == 10)
    store.set(source, 2)
    store.set(isOn, false)
    #expect(store.get(result) == 0 && runs.value == 1)
    store.set(isOn, true)
    #expect(store.get(result) == 20 && runs.value == 2)
  }

  @Test func a7_aDependencyKeepsItsValueWhenTheOrderOfReadsChanges() {
    let (isReversed, base, other, runs) = (Atom(false), Atom(1), Atom(10), Tally())
    let stable = DerivedAtom { () -> Int in
      runs.add()
      return base.value
    }
    let result = DerivedAtom { () -> [Int] in
      if isReversed.value { return [other.value, stable.value] }
      return [stable.value, other.value]
    }
    #expect(store.get(result) == [1, 10])
    for isNowReversed in [true, false, true] {
      store.set(isReversed, isNowReversed)
      #expect(store.get(result) == (isNowReversed ? [10, 1] : [1, 10]))
    }
    store.set(other, 20)
    #expect(store.get(result) == [20, 1] && runs.value == 1)
    store.set(base, 2)
    #expect(store.get(result) == [20, 2] && runs.value == 2)
  }

  @Test func a7_eachNodeOfStackedDiamondsRunsOnce() {
    let (head, runs) = (Atom(0), Tally())
    var last = DerivedAtom { head.value }
    for _ in 0..<50 {
      let before = last
      let left = DerivedAtom { () -> Int in
        runs.add()
        return before.value + 1
      }
      let right = DerivedAtom { () -> Int in
        runs.add()
        return before.value - 1
      }
      last = DerivedAtom { () -> Int in
        runs.add()
        return (left.value + right.value) / 2
      }
    }
    #expect(store.get(last) == 0 && runs.value == 150)
    for value in 1...10 {
      runs.reset()
      store.set(head, value)
      #expect(store.get(last) == value && runs.value == 150)
    }
  }

  @Test func a7_anUnrelatedAtomCostsNoRuns() {
    let (sources, runs) = ((0..<1_000).map { Atom($0) }, Tally())
    let doubles = sources.map { source in
      DerivedAtom { () -> Int in
        runs.add()
        return source.value * 2
      }
    }
    for (index, double) in doubles.enumerated() { #expect(store.get(double) == 2 * index) }
    runs.reset()
    store.set(sources[500], -1)
    #expect(doubles.reduce(0) { $0 + store.get($1) } == 999 * 1_000 - 1_002)
    #expect(runs.value == 1)
  }

  // MARK: Dependencies

  @Test func a8_dependenciesAreThoseOfTheLastRun() {
    let isLeft = Atom(true).debugLabel("isLeft")
    let (left, right) = (Atom(1).debugLabel("left"), Atom(2).debugLabel("right"))
    let runs = Tally()
    let chosen = DerivedAtom { () -> Int in
      runs.add()
      return isLeft.value ? left.value : right.value
    }.debugLabel("chosen")
    #expect(store.get(chosen) == 1)
    #expect(store.graph.dependencies(of: "chosen") == ["isLeft", "left"])
    store.set(right, 20)
    #expect(store.get(chosen) == 1 && runs.value == 1)
    store.set(isLeft, false)
    #expect(store.get(chosen) == 20)
    #expect(store.graph.dependencies(of: "chosen") == ["isLeft", "right"])
    store.set(left, 10)
    #expect(store.get(chosen) == 20 && runs.value == 2)
  }

  @Test func a8_repeatedReadsAreOneDependency() {
    let head = Atom(1).debugLabel("head")
    let runs = Tally()
    let sum = DerivedAtom { () -> Int in
      runs.add()
      return (0..<30).reduce(0) { sum, _ in sum + head.value }
    }.debugLabel("sum")
    #expect(store.get(sum) == 30)
    #expect(store.graph.dependencies(of: "sum") == ["head"])
    store.set(head, 2)
    #expect(store.get(sum) == 60 && runs.value == 2)
  }

  @Test func a8_readsBeforeAndAfterAnotherDerivationAreOneDependency() {
    let head = Atom(1).debugLabel("head")
    let inner = DerivedAtom { head.value * 10 }.debugLabel("inner")
    let sum = DerivedAtom { head.value + inner.value + head.value }.debugLabel("sum")
    #expect(store.get(sum) == 12)
    #expect(store.graph.dependencies(of: "sum") == ["head", "inner"])
    store.set(head, 2)
    #expect(store.get(sum) == 24)
  }

  @Test func a8_readsOfAnotherStoreAreNoDependencies() {
    let (a, other, runs) = (Atom(1), AtomStore(), Tally())
    other.set(a, 100)
    let sum = DerivedAtom { () -> Int in
      runs.add()
      return a.value + other.get(a) + other.callAsCurrent { a.value }
    }
    #expect(store.get(sum) == 201)
    other.set(a, 200)
    #expect(store.get(sum) == 201 && runs.value == 1)
    store.set(a, 2)
    #expect(store.get(sum) == 402 && runs.value == 2)
  }
}
