import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Selections of a store's commits are consistent in every graph (A3, A35).
@Suite struct SelectionTests {
  private struct Pair: Sendable {
    var first = 0
    var second = 0
    var object = Object()

    var half: Int { second / 2 }
  }

  /// A value that cannot be compared.
  private struct Object: Sendable {}

  private let atoms = AtomStore()
  private let pair = Store(Pair())

  private func selections(of store: Store<Pair>) -> SharedSelections {
    store.selectionUse(of: SelectionNode(\Pair.first), by: AtomReader()).selections
  }

  /// Commits a state, as the committing task would on another thread.
  private func commit(_ number: Int, at revision: UInt64) {
    Evaluation.setAside {
      selections(of: pair).compute(from: Published(Pair(first: number, second: -number)), at: revision)
    }
  }

  @Test func a3_firstReadsSeeTheCommitOfEarlierReads() {
    let (first, second) = (pair.select(\.first).atom, pair.select(\.second).atom)
    let seen = atoms.snapshot { () -> [Int] in
      let before = first.value
      commit(1, at: 1)
      return [before, second.value, first.value]
    }
    #expect(seen == [0, 0, 0])
    #expect(atoms.get(first) == 1 && atoms.get(second) == -1)
  }

  /// An atom of a selection that already has a value is no exception.
  @Test func a3_firstReadsOfASharedSelectionSeeTheCommitOfEarlierReads() {
    let (first, second) = (pair.select(\.first).atom, pair.select(\.second).atom)
    #expect(atoms.get(first) + atoms.get(second) == 0)
    let seen = atoms.snapshot { () -> [Int] in
      let (before, late) = (first.value, pair.select(\.second).atom { $0.second = $1 })
      commit(1, at: 1)
      return [before, late.value]
    }
    #expect(seen == [0, 0])
  }

  @Test func a3_aDerivedAtomSeesOneCommitInAnEvaluation() {
    let (first, second, number) = (pair.select(\.first).atom, pair.select(\.second).atom, Tally())
    let sum = DerivedAtom { [self] () -> Int in
      let before = first.value
      if number.next() == 1 { commit(1, at: 1) }
      return before + second.value
    }
    #expect(atoms.get(sum) == 0 && number.value == 1)
    commit(2, at: 2)
    #expect(atoms.get(sum) == 0 && number.value == 2)
  }

  /// A transaction with what it has read of two commits would repeat.
  @Test func a15_aTransactionRepeatsAfterACommit() {
    let (first, second, target, number) = (pair.select(\.first).atom, pair.select(\.second).atom, Atom(7), Tally())
    atoms.transaction {
      let before = first.value
      if number.next() == 1 { commit(1, at: 1) }
      target.value = before + second.value
    }
    #expect(atoms.get(target) == 0 && number.value == 2)
  }

  /// A thread that adds a selection can be faster than the committing task.
  @Test func a35_theSameCommitCountsOnce() {
    let (object, first, seen) = (pair.select(Selection(\.object), .always).atom, pair.select(\.first).atom, Tally())
    let observation = atoms.observe(object) { _ in seen.add() }
    #expect(seen.value == 1)
    for _ in 0..<3 { commit(1, at: 1) }
    #expect(seen.value == 2 && atoms.get(first) == 1)
    commit(9, at: 0)
    #expect(seen.value == 2 && atoms.get(first) == 1)
    withExtendedLifetime(observation) {}
  }

  /// A commit can compute the first value of a selection while a thread is about to do so for a new atom.
  ///
  /// The thread then does not wait until the commit has updated all graphs. In the meantime, a read must not mix the
  /// value with former values of other atoms.
  @Test func a3_anAtomWhoseFirstValueACommitComputesIsInAllGraphs() {
    let (first, early, seen) = (pair.select(\.first).atom, AtomStore(), Recorder<[Int]>())
    let reader = AtomReader()
    let use = pair.selectionUse(of: SelectionNode(\Pair.second), by: reader)
    let second = DerivedAtom(definition: SelectionDefinition(#fileID, #line, SelectedDefinition<Int>(use, by: reader)))
    // The commit updates this store before the other one.
    let observation = early.observe(first) { [self] value in
      if value == 0 { return }
      Evaluation.setAside {
        StoreLink(pair).provideFirstValue(for: use, of: pair)
        seen.add(atoms.get(DerivedAtom { [first.value, second.value] }))
      }
    }
    #expect(atoms.get(first) == 0)
    let hasValue = use.begin()
    commit(1, at: 1)
    #expect(!hasValue)
    #expect(seen.all == [[1, -1]])
    withExtendedLifetime(observation) {}
  }

  /// A graph that has missed a commit takes what has changed since.
  @Test func a35_aStoreThatIsLateTakesAllChanges() {
    let (first, second) = (pair.select(\.first).atom, pair.select(\.second).atom)
    let other = AtomStore()
    for store in [atoms, other] { #expect(store.get(first) + store.get(second) == 0) }
    let text = GetSetAtom<Int> {
      first.value
    } set: { _ in
      _ = second.value
    }
    // With a setter, the change is a transaction.
    atoms.set(text, 1)
    for number in 1...3 {
      commit(number, at: UInt64(number))
      #expect(atoms.get(first) == number && other.get(second) == -number)
    }
  }

  /// A commit that comes in while setters run because of an earlier one is the last.
  @Test func a35_aCommitDuringAnotherIsTheLast() {
    let (first, second, number) = (pair.select(\.first).atom, pair.select(\.second).atom, Tally())
    let text = GetSetAtom<Int> {
      first.value
    } set: { [self] _ in
      _ = second.value
      if number.next() == 2 { commit(2, at: 2) }
    }
    atoms.set(text, 1)
    commit(1, at: 1)
    #expect(number.value >= 2 && atoms.get(first) == 2 && atoms.get(second) == -2)
  }

  /// A setter runs because of a commit of one store, and meanwhile the thread sees commits of other stores.
  @Test func a35_aCommitOfAnotherStoreDuringACommitCounts() {
    let stores = (0..<3).map { _ in Store(Pair()) }
    let selections = stores.map(selections(of:))
    let (firsts, seconds) = (stores.map { $0.select(\.first).atom }, stores.map { $0.select(\.second).atom })
    let (seen, mustCommit) = (Recorder<Int>(), Tally())
    let observations = zip(firsts, seconds).map { first, second in
      atoms.observe(DerivedAtom { first.value + second.value }) { seen.add($0) }
    }
    let text = GetSetAtom<Int> {
      firsts[0].value
    } set: { _ in
      for first in firsts { _ = first.value }
      if mustCommit.value == 0 { return }
      for store in selections { store.compute(from: Published(Pair(first: 5, second: -5)), at: 5) }
    }
    atoms.set(text, 1)
    mustCommit.add()
    Evaluation.setAside { selections[0].compute(from: Published(Pair(first: 4, second: -4)), at: 4) }
    #expect(firsts.map { atoms.get($0) } == [5, 5, 5] && seconds.map { atoms.get($0) } == [-5, -5, -5])
    #expect(seen.all.allSatisfy { $0 == 0 })
    withExtendedLifetime(observations) {}
  }

  /// A state that counts the reads of a property.
  private struct Looked: Sendable {
    let looks = Tally()
    var count = 0

    var double: Int {
      looks.add()
      return count * 2
    }
  }

  @Test func a35_atomsAndStreamsOfEqualKeyPathsShareEvaluations() async {
    let looked = Looked()
    let store = Store(looked)
    let streams = (0..<3).map { _ in store.select(\.double).values }
    let all = (0..<3).map { _ in store.select(\.double).atom { $0.count = $1 / 2 } }
    #expect(looked.looks.value == 1)
    await store.dispatch { $0.count = 2 }
    #expect(looked.looks.value == 2)
    #expect(all.allSatisfy { atoms.get($0) == 4 })
    await store.dispatch { _ in }
    #expect(looked.looks.value == 3)
    store.close()
    for values in streams {
      let seen = await values.reduce(into: [Int]()) { $0.append($1) }
      #expect(seen == [0, 4])
    }
  }

  /// A filter of states runs between a commit and the evaluation of the selections.
  ///
  /// The atom that it makes needs a value immediately, so its thread evaluates all of them. The committing task still
  /// offers the values to the streams, each once.
  @Test func a35_anAtomThatAFilterMakesDoesNotDisturbStreams() throws {
    let made = Tally()
    try Simulation.explore(schedules: 200) {
      let (atoms, store, late) = (AtomStore(), Store(Pair()), Recorder<AsyncStream<Int>>())
      let lateHalves = Recorder<AsyncStream<Int>>()
      let (early, halves) = (store.select(\.second).values, store.select(\.half).values)
      let states = store.states { _, new in
        if new.first != 1 { return true }
        made.add()
        // The commit does not change this value, so only the new stream gets it.
        lateHalves.add(store.select(\.half).values)
        _ = atoms.get(store.select(\.first).atom)
        late.add(store.select(\.second).values)
        late.add(store.select(Selection { $0.second }).values)
        return true
      }
      await withTaskGroup { group in
        group.addTask { for await _ in states {} }
        group.addTask {
          for number in 1...2 {
            await store.dispatch { pair in
              pair.first = number
              pair.second = number
            }
          }
          store.close()
        }
      }
      let seen = await early.reduce(into: [Int]()) { $0.append($1) }
      try Simulation.expect(seen == [0, 1, 2], "a stream from before has \(seen)")
      for values in late.all {
        let seen = await values.reduce(into: [Int]()) { $0.append($1) }
        // A filter that the consumer calls may be late.
        try Simulation.expect([[1, 2], [2]].contains(seen), "a stream from the filter has \(seen)")
      }
      for values in [halves] + lateHalves.all {
        let seen = await values.reduce(into: [Int]()) { $0.append($1) }
        try Simulation.expect([[0, 1], [1]].contains(seen), "a stream of halves has \(seen)")
      }
    }
    #expect(made.value > 0)
  }

  /// A graph takes values under its lock, where it must not release one, even if the atom of the value is gone.
  @Test func a35_aGraphReleasesTheValueOfAnAtomThatIsGoneLater() {
    let releases = Tally()
    let former = Published(OnRelease { releases.add() })
    var step: SelectionStep? = SelectionStep(since: 0, step: 1, values: [(AtomReader(), consume former)])
    var taken = step.map(Selections.init)
    step = nil
    #expect(taken?.values.count == 0 && releases.value == 0)
    taken = nil
    #expect(releases.value == 1)
  }

  @Test func a32_selectionsThatAreGoneAreForgotten() {
    for _ in 0..<1_000 { _ = atoms.get(pair.select(\.first).atom { $0.first = $1 }) }
    #expect(atoms.diagnostics.atoms == 0)
    #expect(selections(of: pair).counts.selections == 0)
  }

  @Test func a32_aStoreThatIsGoneIsForgotten() async {
    let first = pair.select(\.first).atom
    for _ in 0..<100 { #expect(AtomStore().get(first) == 0) }
    commit(1, at: 1)
    #expect(selections(of: pair).counts.followers == 0)
    do {
      let pair = Store(Pair())
      #expect(atoms.get(pair.select(\.first).atom { $0.first = $1 }) == 0)
    }
    #expect(atoms.core.state.withLock { $0.sources.count } == 0)
  }

  /// Makes an atom of its own store.
  private final class Curious: Guard {
    let seen = Recorder<Int>()
    private let account = Locked<Store<Pair>?>(nil)

    func join(_ store: Store<Pair>) { account.withLock { $0 = store } }

    func veto<A: Action<Pair>>(_ action: A, state: Pair) -> Veto? {
      let store = account.withLock { $0 }
      if let store { seen.add(AtomStore().get(store.select(\.first).atom)) }
      return state.first < 2 ? nil : Veto("enough")
    }

    func leave() {
      let former = account.withLock { $0.take() }
      withExtendedLifetime(former) {}
    }
  }

  @Test func a35_aGuardCanMakeAnAtomOfItsStore() async {
    let curious = Curious()
    let store = Store(Pair(), guards: [curious])
    curious.join(store)
    for _ in 0..<3 { _ = await store.dispatch { $0.first += 1 } }
    #expect(curious.seen.all == [0, 1, 2])
    curious.leave()
  }
}
