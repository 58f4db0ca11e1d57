import Testing

@testable import Atoms

/// Several stores on one thread (A17, A19, A34).
@Suite struct StoresTests {
  private let store = AtomStore()
  private let other = AtomStore()
  private let atom = Atom(0).debugLabel("atom")

  @Test func a34_theCurrentStoreIsInherited() async {
    let a = Atom(0)
    await store.callAsCurrent { () async -> Void in
      a.value = 1
      await Task { #expect(a.value == 1) }.value
      async let child = a.value
      #expect(await child == 1)
    }
    #expect(store.get(a) == 1 && AtomStore().get(a) == 0)
  }

  @Test func a34_theCurrentStoreOfACallbackIsTheStoreOfTheValue() async {
    let (seen, problems) = (Recorder<Bool>(), Recorder<AtomProblem>())
    store.onProblem = { [store] problem in
      problems.add(problem)
      seen.add(AtomStore.current == store)
    }
    store.enableAtomLogging { [store, seen] _ in seen.add(AtomStore.current == store) }
    let tasks = Recorder<Task<Bool, Never>>()
    let observation = store.observe(atom) { [store, atom] value in
      seen.add(AtomStore.current == store && atom.value == value)
      tasks.add(Task { AtomStore.current == store })
    }
    other.callAsCurrent { store.set(atom, 1) }
    #expect(seen.all == [true, true, true] && other.get(atom) == 0)
    for task in tasks.all { #expect(await task.value) }
    observation.cancel()
  }

  @Test func a34_theCurrentStoreOfAClosureForAResetIsTheStoreOfTheReset() {
    let source = Atom(1)
    let copy = Atom(0).onReset { $0 = source.value }
    store.set(source, 2)
    store.reset(copy)
    #expect(store.get(copy) == 2)
    store.set(source, 3)
    store.resetAll()
    #expect(store.get(copy) == 2 || store.get(copy) == 1)
  }

  // MARK: Closures of one store inside those of another

  @Test func a8_aReadInsideAnEvaluationOfAnotherStoreIsADependency() {
    let (runs, number) = (Tally(), Atom(5))
    let sum = DerivedAtom { [store, other, atom, runs] () -> Int in
      runs.add()
      return other.snapshot { number.value + store.get(atom) }
    }
    #expect(store.get(sum) == 5)
    store.set(atom, 1)
    #expect(store.get(sum) == 6 && runs.value == 2)
    other.set(number, 7)
    #expect(store.get(sum) == 6 && runs.value == 2)
  }

  @Test func a8_aReadInsideASelectionOfAnotherStoreIsADependency() {
    let double = DerivedAtom { [atom] in atom.value * 2 }
    let sum = DerivedAtom { [store, other, atom, double] in
      other.callAsCurrent { atom.value + store.get(double) + store.callAsCurrent { double.value } }
    }
    other.set(atom, 1_000)
    #expect(store.get(sum) == 1_000)
    store.set(atom, 1)
    #expect(store.get(sum) == 1_004)
  }

  @Test func a3_aSnapshotInsideASnapshotOfAnotherStoreSeesOneRevision() {
    store.snapshot {
      #expect(store.get(atom) == 0)
      Evaluation.setAside { store.set(atom, 1) }
      let inner = other.snapshot { [store.get(atom), store.snapshot { atom.value }, atom.value] }
      #expect(inner == [0, 0, 0])
    }
    #expect(store.get(atom) == 1)
  }

  @Test func a10_aSetInsideAnEvaluationOfAnotherStoreIsRefused() {
    let problems = Recorder<AtomProblem>()
    for store in [store, other] { store.onProblem = { problems.add($0) } }
    let wrong = DerivedAtom { [store, other, atom] () -> Int in
      other.transaction { store.set(atom, 1) }
      other.callAsCurrent { store.set(atom, 2) }
      other.callAsCurrent { store.transaction { atom.value = 3 } }
      other.callAsCurrent { store.reset(atom) }
      return 7
    }.debugLabel("wrong")
    #expect(store.get(wrong) == 7 && store.get(atom) == 0)
    #expect(problems.all == Array(repeating: .setInDerivation("atom", in: "wrong"), count: 4))
    problems.reset()
    store.transaction { other.snapshot { store.set(atom, 1) } }
    #expect(problems.all == [.setInDerivation("atom", in: "a snapshot")] && store.get(atom) == 0)
    // Documented: another store that is selected takes part in nothing.
    let right = DerivedAtom { [other, atom] () -> Int in
      other.callAsCurrent { atom.value = 9 }
      return 8
    }
    #expect(store.get(right) == 8 && other.get(atom) == 9 && problems.all.count == 1)
  }

  @Test func a15_aSetInsideATransactionOfAnotherStoreBelongsToTheTransactionOfItsStore() throws {
    let tries = Tally()
    #expect(throws: Stop.self) {
      try store.transaction {
        if tries.next() > 1 { return }
        _ = atom.value
        other.transaction {
          atom.value = 50
          store.set(atom, 1)
          store.transaction { atom.value += 1 }
        }
        #expect(atom.value == 2)
        throw Stop()
      }
    }
    #expect(store.get(atom) == 0 && other.get(atom) == 50)
    store.transaction {
      _ = atom.value
      other.callAsCurrent { store.set(atom, 1) }
    }
    #expect(store.get(atom) == 1 && store.diagnostics.repeats == 0)
  }

  /// The other store keeps the value for all its readers.
  @Test func a14_aDerivationOfAnotherStoreDoesNotSeeTheSetsOfATransaction() {
    let copy = DerivedAtom { [store, atom] in store.get(atom) }
    #expect(throws: Stop.self) {
      try store.transaction {
        atom.value = 1
        #expect(other.get(copy) == 0)
        throw Stop()
      }
    }
    #expect(other.get(copy) == 0)
  }

  /// The callback of each store sets the atom of the other one, so one delivery runs inside the other.
  @Test func a17_aWatcherSeesEachChangeThatComesBackFromAnotherStore() {
    let (double, seen) = (DerivedAtom { [atom] in atom.value * 2 }, Recorder<Int>())
    let observations = [
      store.observe(atom, skip: 1) { [other, atom] in other.set(atom, $0) },
      store.observe(double, skip: 1) { seen.add($0) },
      other.observe(atom, skip: 1) { [store, atom] value in
        if value == 1 { for next in 2...4 { store.set(atom, next) } }
      },
    ]
    store.set(atom, 1)
    #expect(seen.all == [2, 4, 6, 8] && other.get(atom) == 4)
    withExtendedLifetime(observations) {}
  }

  @Test func a19_endlessSetsBetweenTwoStoresAreReported() {
    let problems = Recorder<AtomProblem>()
    for store in [store, other] { store.onProblem = { problems.add($0) } }
    let observations = [
      store.observe(atom, skip: 1) { [other, atom] in other.set(atom, $0) },
      other.observe(atom, skip: 1) { [store, atom] value in if value < 1_500 { store.set(atom, value + 1) } },
    ]
    store.set(atom, 1)
    #expect(problems.all == [.endlessDelivery(["atom"])] && store.get(atom) == 1_500)
    withExtendedLifetime(observations) {}
  }

  /// Stores begin to use an atom at the moment when the atom gets a closure.
  @Test func a20_aRaceAddsAnUpdateClosureOnceToEachStore() {
    for _ in 0..<300 {
      let (atom, calls) = (Atom(0), Tally())
      let stores = (0..<30).map { _ in AtomStore() }
      inThreads(2) { index in
        if index == 0 {
          for _ in 0..<10 { atom.onUpdate { _ in calls.add() } }
        } else {
          for store in stores { _ = store.get(atom) }
        }
      }
      #expect(calls.value == 300)
    }
  }
}
