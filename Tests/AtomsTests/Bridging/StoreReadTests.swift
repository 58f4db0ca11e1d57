import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// The value of an atom of a `Store` at each moment (A35).
@Suite struct StoreReadTests {
  private let atoms = AtomStore()
  private let wallet = Store(Wallet())

  // MARK: Beside a turn

  /// A reader never waits for the action, and never sees its draft.
  @Test func a35_aReadDuringATurnHasTheLastCommit() throws {
    try Simulation.explore(schedules: 200) {
      let (atoms, wallet) = (AtomStore(), Store(Wallet()))
      let (cents, count) = (wallet.select(\.cents).atom, wallet.select(\.count).atom)
      try await withThrowingTaskGroup { group in
        group.addTask {
          await wallet.dispatch { wallet async in
            wallet.cents = 10
            await Task.yield()
            wallet.count = 1
          }
          try Simulation.expect(atoms.get(cents) == 10, "a read after the dispatch has \(atoms.get(cents))")
        }
        group.addTask {
          for _ in 0..<3 {
            let seen = atoms.snapshot { [cents.value, count.value] }
            try Simulation.expect([[0, 0], [10, 1]].contains(seen), "a read has \(seen)")
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// The streams of the store get the state before the atoms do.
  @Test func a35_aFilterOfAStreamCanReadTheFormerValue() throws {
    let all = Recorder<[Int]>()
    try Simulation.explore(schedules: 100) {
      let (atoms, wallet) = (AtomStore(), Store(Wallet()))
      let cents = wallet.select(\.cents).atom
      let states = wallet.states(bufferingPolicy: .unbounded) { _, new in
        all.add([new.cents, atoms.get(cents)])
        return true
      }
      await withTaskGroup { group in
        group.addTask { for await state in states where state.cents == 5 { break } }
        group.addTask { await wallet.dispatch(Add(cents: 5)) }
      }
    }
    // If the consumer waits, the committing task calls the filter.
    #expect(Set(all.all).isSuperset(of: [[5, 0], [5, 5]]))
  }

  // MARK: In actions and guards

  @Test func a35_eachKindOfActionReadsTheLastCommit() async throws {
    let (atoms, cents) = (atoms, wallet.select(\.cents).atom)
    await wallet.dispatch(Add(cents: 1))
    let mutation = await wallet.dispatch { wallet -> [Int] in
      wallet.cents = 2
      return [atoms.get(cents)]
    }
    let transaction = try await wallet.transaction { transaction -> [Int] in
      try await transaction.run(Add(cents: 1))
      return [atoms.get(cents), transaction.state.cents]
    }
    #expect(mutation.output == [1] && transaction.output == [2, 3] && atoms.get(cents) == 3)
  }

  /// Other actions commit while an overlapping action runs.
  @Test func a35_anOverlappingActionReadsTheNewestCommit() async {
    let (atoms, wallet, cents) = (atoms, wallet, wallet.select(\.cents).atom)
    let seen = await wallet.dispatch(policy: .overlapping) { draft async -> [Int] in
      let before = atoms.get(cents)
      await wallet.dispatch(Add(cents: 5))
      return [before, atoms.get(cents), draft.cents]
    }
    #expect(seen.output == [0, 5, 0] && atoms.get(cents) == 0)
  }

  private final class Reader: Guard {
    let read: @Sendable () -> Int
    let seen = Recorder<String>()

    init(_ read: @escaping @Sendable () -> Int) { self.read = read }

    func veto<A: Action<Wallet>>(_ action: A, state: Wallet) -> Veto? {
      seen.add("veto \(state.cents) \(read())")
      return nil
    }

    func willUpdate<A: Action<Wallet>>(_ action: A, state: Wallet) { seen.add("will \(state.cents) \(read())") }

    func didUpdate<A: Action<Wallet>>(_ action: A, old: Wallet?, new: Wallet) {
      seen.add("did \(new.cents) \(read())")
    }
  }

  @Test func a35_guardsReadTheCommitThatTheyGet() async throws {
    let (atoms, atom) = (atoms, Recorder<DerivedAtom<Int>>())
    let reader = Reader { atom.all.first.map { atoms.get($0) } ?? -1 }
    let wallet = Store(Wallet(), guards: [reader])
    atom.add(wallet.select(\.cents).atom)
    await wallet.dispatch(Add(cents: 1))
    await wallet.dispatch { $0.cents = 2 }
    await #expect(throws: Stop.self) {
      try await wallet.dispatch { wallet throws in
        wallet.cents = 3
        throw Stop()
      }
    }
    let expected = ["veto 0 0", "will 0 0", "did 1 1", "veto 1 1", "will 1 1", "did 2 2"]
    #expect(reader.seen.all == expected + ["veto 2 2", "will 2 2"])
    reader.seen.reset()
    // In a transaction, a guard gets the draft, which no atom has.
    try await wallet.transaction { transaction in
      try await transaction.run(Add(cents: 1))
      try await transaction.run(Add(cents: 1))
    }
    #expect(reader.seen.all == ["veto 2 2", "will 2 2", "veto 3 2", "will 3 2", "did 4 4"])
    atom.reset()
  }

  /// Nothing protects an atom between an action's read and its commit.
  @Test func a35_anAtomCanChangeBetweenAReadAndTheCommit() throws {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(schedules: 200) {
        let (atoms, wallet, limit) = (AtomStore(), Store(Wallet()), Atom(5))
        try await withThrowingTaskGroup { group in
          group.addTask {
            let seen = await wallet.dispatch { wallet async -> [Int] in
              let before = atoms.get(limit)
              await Task.yield()
              return [before, atoms.get(limit)]
            }
            try Simulation.expect(seen.output?[0] == seen.output?[1], "the limit changed")
          }
          group.addTask { atoms.set(limit, 0) }
          try await group.waitForAll()
        }
      }
    }
    #expect(failure?.error is Simulation.ExpectationFailed)
  }

  /// An action runs in the task that dispatches it.
  @Test func a34_anActionUsesTheStoreOfItsDispatcher() async {
    let (limit, other) = (Atom(0), AtomStore())
    atoms.set(limit, 1)
    other.set(limit, 2)
    let wallet = wallet
    let seen = await atoms.callAsCurrent { await wallet.dispatch { _ in limit.value } }
    let ticket = other.callAsCurrent { wallet.send { _ async in limit.value } }
    #expect(seen.output == 1)
    #expect(await ticket.outcome.output == 2)
  }

  // MARK: Several atom stores

  /// The commit reaches the atom stores in the order in which they began to use atoms of the `Store`.
  @Test func a35_oneAtomStoreChangesAfterAnother() async {
    let (first, second, cents, seen) = (AtomStore(), AtomStore(), wallet.select(\.cents).atom, Recorder<[Int]>())
    for store in [first, second] { #expect(store.get(cents) == 0) }
    let observations = [first, second].map { store in
      store.observe(cents, skip: 1) { _ in seen.add([first.get(cents), second.get(cents)]) }
    }
    await wallet.dispatch(Add(cents: 5))
    // Between the changes of the two stores, a watcher sees both commits.
    #expect(seen.all == [[5, 0], [5, 5]])
    withExtendedLifetime(observations) {}
  }

  @Test func a35_allSelectionsOfOneStoreChangeInOneRevision() async {
    let (cents, count, isEven) = (
      wallet.select(\.cents).atom, wallet.select(\.count).atom, wallet.select(\.count.isEven).atom
    )
    let (atoms, entries, seen) = (atoms, Recorder<AtomChange>(), Recorder<[Int]>())
    let all = DerivedAtom { [cents.value, count.value, isEven.value ? 1 : 0] }
    let observations = [
      atoms.observe(all) { seen.add($0) },
      atoms.observe(cents, skip: 1) { _ in seen.add(atoms.get(all)) },
      atoms.observe(count, skip: 1) { _ in seen.add(atoms.get(all)) },
    ]
    let former = atoms.graph.revision
    atoms.enableAtomLogging { entries.add($0) }
    await wallet.dispatch(Add(cents: 5))
    #expect(atoms.graph.revision == former + 1)
    #expect(entries.all.count == 4 && entries.all.allSatisfy { $0.revision == former + 1 })
    #expect(seen.all.first == [0, 0, 1] && seen.all.dropFirst().allSatisfy { $0 == [5, 1, 0] } && seen.all.count == 4)
    withExtendedLifetime(observations) {}
  }

  /// Two stores make two commits, so a sum over both is wrong between the commits.
  @Test func a35_twoStoresChangeInTwoRevisions() async {
    let other = Store(Wallet(cents: 10))
    let cents = [wallet.select(\.cents).atom, other.select(\.cents).atom]
    let (sum, seen) = (DerivedAtom { cents[0].value + cents[1].value }, Recorder<Int>())
    let observation = atoms.observe(sum) { seen.add($0) }
    let wallet = wallet
    await other.dispatch { other async in
      other.cents -= 10
      await wallet.dispatch(Add(cents: 10))
    }
    #expect(seen.all == [10, 20, 10])
    withExtendedLifetime(observation) {}
  }

  // MARK: Evaluations and runs

  /// A key path that reads more than the state has a stale value until the next commit.
  @Test func a35_aKeyPathThatReadsAnAtomDoesNotFollowIt() async {
    struct Shop: Sendable {
      let atoms: AtomStore
      let rate: Atom<Int>
      var price = 10
      var shown: Int { price * atoms.get(rate) }
    }
    let rate = Atom(1)
    let shop = Store(Shop(atoms: atoms, rate: rate))
    let shown = shop.select(\.shown).atom
    #expect(atoms.get(shown) == 10)
    atoms.set(rate, 2)
    #expect(atoms.get(shown) == 10)
    await shop.dispatch { $0.price = 20 }
    #expect(atoms.get(shown) == 40)
    // Instead, derive an atom from both.
    let price = shop.select(\.price).atom
    let right = DerivedAtom { price.value * rate.value }
    atoms.set(rate, 3)
    #expect(atoms.get(right) == 60)
  }

  /// The values that the run has read stay the same, and the change of its own dependency starts another run.
  @Test func a27_aRunThatChangesWhatItHasReadReadsTheFormerValueAndRunsAgain() throws {
    try Simulation.explore(schedules: 100) {
      let (atoms, wallet, seen) = (AtomStore(), Store(Wallet()), Recorder<[Int]>())
      let cents = wallet.select(\.cents).atom
      let saving = AsyncAtom(keepAlive: true) { () async -> Int in
        let before = cents.value
        // Without the condition, it would run forever.
        if before < 3 { await wallet.dispatch(Add(cents: 1)) }
        seen.add([before, cents.value])
        return before
      }
      let last = try await atoms.result(of: saving)
      try Simulation.expect(last == 3, "the last run has \(last)")
      // A canceled run may end after the next one, or before it reads again.
      let isSame = seen.all.allSatisfy { $0[0] == $0[1] } && seen.all.contains([3, 3])
      try Simulation.expect(isSame, "the runs have read \(seen.all)")
    }
  }

  /// A captured read creates no dependency, and the output of an action is newer than any atom.
  @Test func a27_aRunThatCapturesReadsTheNewValueAndRunsOnce() throws {
    try Simulation.explore(schedules: 100) {
      let (atoms, wallet, runs) = (AtomStore(), Store(Wallet()), Tally())
      let cents = wallet.select(\.cents).atom
      let saving = AsyncAtom(keepAlive: true) { () async -> [Int] in
        runs.add()
        @CaptureAtomValue(cents) var captured
        let before = captured
        let output = await wallet.dispatch { wallet in
          wallet.cents += 1
          return wallet.cents
        }
        return [before, captured, output.output ?? -1]
      }
      let result = try await atoms.result(of: saving)
      try Simulation.expect(result == [0, 1, 1] && runs.value == 1, "\(runs.value) runs, the last with \(result)")
    }
  }

  /// The action runs in the task of the run, so its reads are reads of the run.
  @Test func a27_anActionThatARunDispatchesReadsForTheRun() throws {
    try Simulation.explore(schedules: 100, timers: .race(upTo: 0)) {
      let (atoms, wallet, limit, seen) = (AtomStore(), Store(Wallet()), Atom(1), Recorder<[Int]>())
      let cents = wallet.select(\.cents).atom
      let saving = AsyncAtom(keepAlive: true) { () async -> Int in
        let before = cents.value
        if before == 0 { await wallet.dispatch(Add(cents: 1)) }
        return await wallet.dispatch { wallet in
          seen.add([wallet.cents, cents.value])
          return limit.value
        }.output ?? -1
      }
      let first = try await atoms.result(of: saving)
      atoms.set(limit, 2)
      let second = try await atoms.result(of: saving)
      try Simulation.expect([first, second] == [1, 2], "\(first), \(second)")
      // In the first run, the atom is even older than the state that the action gets. A run can be repeated.
      try Simulation.expect(seen.all.first == [1, 0] && Set(seen.all.dropFirst()) == [[1, 1]], "\(seen.all)")
    }
  }
}

extension Int {
  fileprivate var isEven: Bool { self % 2 == 0 }
}
