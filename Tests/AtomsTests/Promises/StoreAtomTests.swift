import ActorStore
import ActorStoreTesting
import Testing

@testable import Atoms

/// Atoms that select from the state of a `Store` (A35).
@Suite struct StoreAtomTests {
  private struct Account: Sendable, Equatable {
    var balance = 0
    var count = 0
    var names: [String] = []
    var average: Int { count == 0 ? 0 : balance / count }
  }

  private struct Deposit: Mutation {
    let amount: Int

    func run(_ state: inout Account) {
      state.balance += amount
      state.count += 1
    }
  }

  private struct Wrong: Error { let seen: String }

  private let atoms = AtomStore()
  private let account = Store(Account())

  // MARK: Reading

  @Test func a35_readsSeeACommitAfterItsDispatch() async {
    let (balance, average) = (account.select(\.balance).atom, account.select(\.average).atom)
    let other = AtomStore()
    #expect(atoms.get(balance) == 0 && other.get(average) == 0)
    await account.dispatch(Deposit(amount: 10))
    #expect(atoms.get(balance) == 10 && atoms.get(average) == 10 && other.get(balance) == 10)
    await account.dispatch { $0.balance = 7 }
    #expect(atoms.get(average) == 7 && AtomStore.shared.get(balance) == 7)
    // An atom that is made later begins with the committed value.
    #expect(atoms.get(account.select(\.count).atom) == 1)
  }

  @Test func a35_equalKeyPathsGiveTheSameAtom() async {
    let one = account.select(\.balance).atom
    #expect(account.select(\.balance).atom.definition === one.definition)
    #expect(account.select(\.count).atom.definition !== one.definition)
    let (runs, store) = (Tally(), atoms)
    let text = DerivedAtom { [account] () -> String in
      runs.add()
      return "\(account.select(\.names).atom.value)"
    }
    let unrelated = Atom(0)
    for value in 1...3 {
      #expect(store.get(text) == "[]")
      store.set(unrelated, value)
    }
    #expect(runs.value == 1)
    await account.dispatch { $0.names = ["Ada"] }
    #expect(store.get(text) == #"["Ada"]"# && runs.value == 2)
  }

  @Test func a36_theLabelNamesTheCallThatMadeTheAtom() {
    let balance = account.select(\.balance, fileID: "A", line: 1).atom
    let count = account.select(Selection(\.count), fileID: "B", line: 2).atom
    let whole = account.select(fileID: "G", line: 5).atom
    let compared = account.select(Selection(\.names), .by(==), fileID: "H", line: 6).atom
    #expect(account.select(\.balance, fileID: "C", line: 3).atom.definition === balance.definition)
    #expect(atoms.get(balance) + atoms.get(count) + atoms.get(whole).count + atoms.get(compared).count == 0)
    #expect(Set(atoms.graph.atoms.map(\.label)) == ["A:1", "B:2", "G:5", "H:6"])
    // The first of these atoms is released before the second call.
    for file in ["D", "E"] as [StaticString] {
      #expect(account.select(\.average, fileID: file, line: 4).atom.definition.label == "\(file):4")
    }
  }

  @Test func a35_anEqualSelectionChangesNothing() async {
    let (balance, runs) = (account.select(\.balance).atom, Tally())
    let text = DerivedAtom { () -> String in
      runs.add()
      return "\(balance.value)"
    }
    #expect(atoms.get(text) == "0")
    let revision = atoms.graph.revision
    await account.dispatch { $0.count += 1 }
    #expect(atoms.get(text) == "0" && runs.value == 1 && atoms.graph.revision == revision)
  }

  /// All selections of one commit change in one revision, beside those of another store.
  @Test func a35_derivedAtomsMixNoCommits() throws {
    try Simulation.explore(schedules: 100) {
      let (atoms, one, two) = (AtomStore(), Store(Account()), Store(Account()))
      let pairs = [one, two].map { ($0.select(\.balance).atom, $0.select(\.count).atom) }
      let sums = DerivedAtom { pairs.map { $0.0.value - 10 * $0.1.value } }
      let seen = Recorder<[Int]>()
      let observation = atoms.observe(sums) { seen.add($0) }
      await withTaskGroup { group in
        for store in [one, two, one, two] { group.addTask { _ = await store.dispatch(Deposit(amount: 10)) } }
        group.addTask { seen.add(atoms.get(sums)) }
      }
      if seen.all.contains(where: { $0 != [0, 0] }) || atoms.get(pairs[0].0) != 20 { throw Wrong(seen: "\(seen.all)") }
      withExtendedLifetime(observation) {}
    }
  }

  @Test func a35_watchersSeeEachCommit() async {
    let (balance, seen) = (account.select(\.balance).atom, Recorder<Int>())
    let observation = atoms.observe(balance) { seen.add($0) }
    var values = atoms.values(of: balance).makeAsyncIterator()
    for amount in 1...3 { await account.dispatch(Deposit(amount: amount)) }
    #expect(seen.all == [0, 1, 3, 6])
    var read: [Int] = []
    for _ in 0..<4 { if let value = await values.next() { read.append(value) } }
    #expect(read == [0, 1, 3, 6])
    withExtendedLifetime(observation) {}
  }

  // MARK: Inside actions

  @Test func a35_anActionSeesTheCommittedValue() async {
    let (balance, atoms) = (account.select(\.balance).atom, atoms)
    await account.dispatch { $0.balance = 1 }
    let seen = await account.dispatch { (state: inout Account) -> [Int] in
      let before = atoms.get(balance)
      state.balance = 5
      return [before, atoms.get(balance)]
    }
    #expect(seen.output == [1, 1] && atoms.get(balance) == 5)
    let later = await account.dispatch { (state: inout Account) async -> [Int] in
      state.balance = 8
      await Task.yield()
      return [atoms.get(balance)]
    }
    #expect(later.output == [5] && atoms.get(balance) == 8)
  }

  private struct Limit: Guard {
    let atoms: AtomStore
    let limit: Atom<Int>

    func veto<A: Action<Account>>(_ action: A, state: Account) -> Veto? {
      atoms.get(limit) < state.balance ? Veto("over the limit") : nil
    }
  }

  @Test func a35_aGuardCanReadAtoms() async {
    let limit = Atom(5)
    let account = Store(Account(), guards: [Limit(atoms: atoms, limit: limit)])
    let balance = account.select(\.balance).atom
    for _ in 0..<3 { await account.dispatch(Deposit(amount: 5)) }
    #expect(atoms.get(balance) == 10)
    atoms.set(limit, 100)
    await account.dispatch(Deposit(amount: 5))
    #expect(atoms.get(balance) == 15)
  }

  /// A watcher runs in the committing turn, so what it sends follows.
  @Test func a35_aWatcherCanSendActions() async {
    let (balance, account) = (account.select(\.balance).atom, account)
    let observation = atoms.observe(balance, skip: 1) { if $0 < 3 { account.send(Deposit(amount: 1)) } }
    await account.dispatch(Deposit(amount: 1))
    await account.waitUntilIdle()
    #expect(atoms.get(balance) == 3)
    withExtendedLifetime(observation) {}
  }

  // MARK: Setting

  /// A setter that runs again because of a commit can make an atom of the same store.
  @Test func a35_aSetterCanMakeAnAtomOfTheStore() async {
    let (balance, runs, balances, account) = (account.select(\.balance).atom, Tally(), Recorder<Int>(), account)
    let text = GetSetAtom<Int> {
      balance.value
    } set: { _ in
      runs.add()
      if runs.value > 10 { return }
      balances.add(account.select(\.balance).atom { $0.balance = $1 }.value - balance.value)
    }
    atoms.set(text, 1)
    for amount in 1...2 {
      await account.dispatch { $0.balance = amount }
      #expect(runs.value == amount + 1 && atoms.get(balance) == amount)
    }
    #expect(balances.all == [0, 0, 0])
  }

  @Test func a35_aSetSendsAnAction() async {
    let balance = account.select(\.balance).atom { $0.balance = $1 }
    let names = account.select(\.names).atom(sending: { Rename(names: $0) })
    atoms.set(balance, 5)
    atoms.set(names, ["Ada"])
    await account.waitUntilIdle()
    #expect(atoms.get(balance) == 5 && atoms.get(names) == ["Ada"])
    #expect(await account.state == Account(balance: 5, names: ["Ada"]))
  }

  private struct Rename: Mutation {
    let names: [String]

    func run(_ state: inout Account) { state.names = names }
  }

  @Test func a35_aTransactionSendsItsLastValueOnce() async {
    let commits = Recorder<Int>()
    let balance = account.select(\.balance).atom { state, value in
      commits.add(value)
      state.balance = value
    }
    let (other, tries, atoms) = (Atom(0), Tally(), atoms)
    atoms.transaction {
      other.value += 1
      balance.value = 5
      balance.value = 6
      #expect(balance.value == 0)
      if tries.next() == 1 { Evaluation.setAside { atoms.set(other, 10) } }
      try? atoms.transaction {
        balance.value = 7
        throw Stop()
      }
    }
    await account.waitUntilIdle()
    #expect(commits.all == [6] && atoms.get(balance) == 6 && tries.value == 2 && atoms.get(other) == 11)
    try? atoms.transaction {
      balance.value = 8
      throw Stop()
    }
    await account.waitUntilIdle()
    #expect(commits.all == [6])
  }

  @Test func a35_aTransactionOfManyAtomsIsOneCommit() async {
    let values = Store((0..<100).map { _ in 0 })
    let set = (0..<100).map { index in values.select(\.[index]).atom { $0[index] = $1 } }
    let revision = values.diagnostics.revision
    atoms.transaction { for (index, atom) in set.enumerated() { atom.value = index } }
    await values.waitUntilIdle()
    #expect(await values.state == Array(0..<100) && values.diagnostics.revision == revision + 1)
    #expect(set.map { atoms.get($0) } == Array(0..<100))
  }

  private struct SetCount: Action {
    let count: Int

    func run(_ account: inout Account) async throws(Wrong) {
      if count < 0 { throw Wrong(seen: "\(account.balance)") }
      account.count = count
    }
  }

  /// The last set of an atom counts, and the order is that of the last sets.
  @Test func a35_aTransactionWithActionsIsOneCommit() async {
    let (failures, reports) = AsyncStream<String>.makeStream()
    let account = Store(Account(), onUnhandledFailure: { reports.yield("\($0.error)") })
    let count = account.select(\.count).atom(sending: { SetCount(count: $0) })
    let balance = account.select(\.balance).atom { $0.balance = $1 + $0.count }
    let revision = account.diagnostics.revision
    atoms.transaction {
      balance.value = 1
      count.value = 10
      balance.value = 2
    }
    await account.waitUntilIdle()
    #expect(await account.state == Account(balance: 12, count: 10) && account.diagnostics.revision == revision + 1)
    atoms.transaction {
      balance.value = 3
      count.value = -1
    }
    #expect(await failures.first { _ in true } == "Wrong(seen: \"13\")")
    #expect(await account.state == Account(balance: 12, count: 10) && account.diagnostics.revision == revision + 1)
  }

  /// Undoing a nested transaction restores the earlier set.
  @Test func a16_anUndoneSetLeavesTheEarlierOne() async {
    let (balance, count) = (
      account.select(\.balance).atom { $0.balance = $1 }, account.select(\.count).atom { $0.count = $1 }
    )
    atoms.transaction {
      balance.value = 1
      try? atoms.transaction {
        (balance.value, count.value) = (2, 2)
        throw Stop()
      }
    }
    await account.waitUntilIdle()
    #expect(await account.state == Account(balance: 1))
  }

  /// The first atom is gone before the second one exists, which can get its address.
  @Test func a35_aTransactionSendsTheValuesOfTemporaryAtoms() async {
    let account = account
    var one: StoreAtom<Int> { account.select(\.balance).atom { $0.balance = $1 } }
    var other: StoreAtom<Int> { account.select(\.count).atom { $0.count = $1 } }
    atoms.transaction {
      one.value = 5
      other.value = 6
    }
    await account.waitUntilIdle()
    #expect(await account.state == Account(balance: 5, count: 6))
  }

  @Test func a10_aSetInADerivationSendsNothing() async {
    let problems = Recorder<AtomProblem>()
    atoms.onProblem = { problems.add($0) }
    let balance = account.select(\.balance).atom { $0.balance = $1 }
    let wrong = DerivedAtom { () -> Int in
      balance.value = 5
      return balance.value
    }
    #expect(atoms.get(wrong) == 0)
    await account.waitUntilIdle()
    #expect(atoms.get(balance) == 0 && problems.all.count == 1)
  }

  @Test func a33_anInjectionReplacesASelection() async {
    let balance = account.select(\.balance).atom { $0.balance = $1 }
    atoms.inject(balance, value: 100)
    await account.dispatch(Deposit(amount: 1))
    #expect(atoms.get(balance) == 100)
    // A set on top does not reach the store.
    atoms.set(balance, 50)
    await account.waitUntilIdle()
    #expect(atoms.get(balance) == 50 && AtomStore().get(balance) == 1)
    atoms.removeInjection(of: balance)
    #expect(atoms.get(balance) == 1)
  }

  @Test func a30_aReleasedSelectionHasTheCommittedValue() async {
    let balance = account.select(\.balance).atom
    await account.dispatch(Deposit(amount: 5))
    atoms.callAsCurrent { #expect(UseAtomValue(balance).wrappedValue == 5) }
    atoms.resetAll()
    #expect(atoms.get(balance) == 5)
    await account.dispatch(Deposit(amount: 5))
    #expect(atoms.get(balance) == 10)
  }

  // MARK: Lifetimes

  @Test func a35_anAtomDoesNotKeepTheStore() async {
    weak var store: Store<Account>?
    var kept: (DerivedAtom<Int>, StoreAtom<Int>)?
    do {
      let new = Store(Account())
      store = new
      kept = (new.select(\.balance).atom, new.select(\.balance).atom { $0.balance = $1 })
      await new.dispatch(Deposit(amount: 5))
    }
    #expect(store == nil)
    if let kept {
      atoms.set(kept.1, 6)
      #expect(atoms.get(kept.0) == 5 && atoms.get(kept.1) == 5)
    }
  }

  @Test func a32_aStoreForgetsAtomsThatAreGone() async {
    var reads = 0
    struct Counting: Sendable {
      let reads: Tally
      var value: Int {
        reads.add()
        return 1
      }
    }
    let tally = Tally()
    let store = Store(Counting(reads: tally))
    do {
      let atom = store.select(\.value).atom
      #expect(AtomStore().get(atom) == 1)
      await store.dispatch { _ in }
      reads = tally.value
      #expect(reads == 2)
    }
    await store.dispatch { _ in }
    #expect(tally.value == reads && store.diagnostics.subscribers.isEmpty)
  }

  @Test func a35_atomsAndCommitsOnThreads() async {
    let (account, atoms) = (account, atoms)
    // An atom that a snapshot makes itself has a newer value.
    let (balance, count) = (account.select(\.balance).atom, account.select(\.count).atom)
    await withTaskGroup { group in
      group.addTask { for _ in 0..<500 { await account.dispatch(Deposit(amount: 10)) } }
      for _ in 0..<2 {
        group.addTask {
          var last = 0
          for _ in 0..<300 {
            let pair = atoms.snapshot { (account.select(\.balance).atom.value, account.select(\.count).atom.value) }
            if pair.0 != 10 * pair.1 || pair.0 < last { Issue.record("\(pair) after \(last)") }
            last = pair.0
          }
        }
      }
    }
    #expect(atoms.get(balance) == 5_000 && atoms.get(count) == 500)
  }
}
