import Testing

@testable import Atoms

/// What a transaction sees, and what others see of it (A14).
@Suite struct IsolationTests {
  private let store = AtomStore()

  @Test func a14_aTransactionSeesItsSetsAndOthersDoNot() {
    let (a, b, others) = (Atom(1), Atom(2), Recorder<[Int]>())
    let sum = DerivedAtom { a.value + b.value }
    #expect(store.get(sum) == 3)
    func look() { Evaluation.setAside { others.add([store.get(a), store.get(b), store.get(sum)]) } }
    let inside = store.transaction { () -> [Int] in
      var seen = [sum.value]
      a.value = 10
      seen.append(sum.value)
      look()
      b.value = 20
      seen += [sum.value, a.value, b.value]
      look()
      return seen
    }
    #expect(inside == [3, 12, 30, 10, 20])
    #expect(others.all == [[1, 2, 3], [1, 2, 3]])
    #expect(store.get(sum) == 30 && store.diagnostics.repeats == 0)
  }

  @Test func a14_aTransactionDoesNotSeeWhatOthersCommit() {
    let (a, b, seen) = (Atom(1), Atom(2), Recorder<[Int]>())
    let sum = DerivedAtom { a.value + b.value }
    store.transaction {
      let first = a.value
      if seen.all.isEmpty {
        Evaluation.setAside {
          store.set(a, 10)
          store.set(b, 20)
        }
      }
      seen.add([first, a.value, b.value, sum.value])
    }
    // The second run sees everything that the first one conflicted with.
    #expect(seen.all == [[1, 1, 2, 3], [10, 10, 20, 30]])
    #expect(store.diagnostics.repeats == 1)
  }

  /// Another thread changes the dependencies of a value while the transaction checks them.
  @Test func a14_aTransactionDoesNotMixDependenciesOfTwoRevisions() {
    let (mode, left, right, input) = (Atom(0), Atom(10), Atom(-1), Atom(0))
    let (isArmed, seen) = (Tally(), Recorder<[Int]>())
    let known = Recorder<DerivedAtom<Int>>()
    let checked = DerivedAtom { [store] () -> Int in
      if input.value == 1, isArmed.next() == 1 {
        Evaluation.setAside {
          store.set(mode, 1)
          #expect(store.get(known.all[0]) == -1)
        }
      }
      return 0
    }
    known.add(DerivedAtom { mode.value == 0 ? checked.value + left.value : right.value })
    #expect(store.get(known.all[0]) == 10)
    store.transaction {
      input.value = 1
      seen.add([known.all[0].value, mode.value])
    }
    #expect(seen.all == [[10, 0], [-1, 1]])
  }

  @Test func a10_aSnapshotOfAnotherStoreDoesNotRefuseSetsOfTheCurrentOne() {
    let (a, other) = (Atom(1), AtomStore())
    let problems = Recorder<AtomProblem>()
    store.onProblem = { problems.add($0) }
    other.onProblem = { problems.add($0) }
    store.transaction {
      other.snapshot {
        store.callAsCurrent {
          a.value = 2
          store.transaction { a.value += 1 }
          #expect(a.value == 3)
        }
        // Here, the set is a mistake.
        store.set(a, 4)
      }
    }
    #expect(store.get(a) == 3 && problems.all.count == 1)
  }
}
