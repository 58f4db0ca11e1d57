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
