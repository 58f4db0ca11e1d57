import Testing

@testable import Atoms

/// The sets of a transaction become visible all at once, or not at all (A13 to A16).
@Suite struct TransactionTests {
  private let store = AtomStore()

  // MARK: All or nothing

  @Test func a13_aTransactionIsOneRevisionAndOneNotification() {
    let (a, b, seen, sources) = (Atom(1), Atom(2), Recorder<Int>(), Recorder<Int>())
    let sum = DerivedAtom { a.value + b.value }
    let observations = [
      store.observe(a) { sources.add($0) },
      store.observe(sum) { seen.add($0) },
    ]
    let revision = store.graph.revision
    store.transaction {
      for value in 1...10 {
        a.value = value
        b.value = 2 * value
      }
    }
    #expect(store.graph.revision == revision + 1)
    #expect(sources.all == [1, 10] && seen.all == [3, 30])
    withExtendedLifetime(observations) {}
  }

  @Test func a13_aTransactionThatThrowsSetsNothing() {
    let (a, b, inside, seen) = (Atom(1), Atom(2), Recorder<Int>(), Recorder<Int>())
    let sum = DerivedAtom { a.value + b.value }
    let observation = store.observe(sum) { seen.add($0) }
    #expect(throws: Stop.self) {
      try store.transaction {
        a.value = 10
        inside.add(sum.value)
        b.value = 20
        inside.add(sum.value)
        throw Stop()
      }
    }
    #expect(inside.all == [12, 30] && seen.all == [3])
    #expect(store.get(a) == 1 && store.get(b) == 2 && store.get(sum) == 3)
    #expect(!store.diagnostics.isPinned && store.diagnostics.repeats == 0)
    observation.cancel()
  }

  @Test func a13_anUpdateThatThrowsSetsNothing() {
    let a = Atom(1)
    #expect(throws: Stop.self) {
      try store.update(a) { value in
        value = 10
        throw Stop()
      }
    }
    #expect(store.get(a) == 1)
    let result = store.update(a) { value -> Int in
      value += 1
      return value * 10
    }
    #expect(result == 20 && store.get(a) == 2)
  }

  // MARK: Conflicts

  @Test func a15_aChangeOfAReadValueRunsTheBodyAgain() {
    let (a, b, runs, seen) = (Atom(1), Atom(2), Tally(), Recorder<Int>())
    let observation = store.observe(b) { seen.add($0) }
    store.transaction {
      let value = a.value
      if runs.next() == 1 { Evaluation.setAside { store.set(a, 100) } }
      b.value = value + 1
    }
    #expect(runs.value == 2 && store.diagnostics.repeats == 1)
    #expect(store.get(b) == 101 && seen.all == [2, 101])
    observation.cancel()
  }

  @Test func a15_aChangeBehindADerivedValueRunsTheBodyAgain() {
    let (a, b, runs) = (Atom(1), Atom(0), Tally())
    let double = DerivedAtom { a.value * 2 }
    for isKnown in [false, true] {
      if isKnown { #expect(store.get(double) == store.get(a) * 2) }
      runs.reset()
      store.transaction {
        let value = double.value
        if runs.next() == 1 { Evaluation.setAside { store.update(a) { $0 += 10 } } }
        b.value = value
      }
      #expect(runs.value == 2 && store.get(b) == store.get(a) * 2)
    }
    #expect(store.get(b) == 42)
  }

  /// The transaction reads one atom directly, and the other one through a derived atom.
  @Test func a15_aTransactionThatRepeatsAHundredTimesWarnsOnce() {
    let (a, b, c) = (Atom(1).debugLabel("a"), Atom(0).debugLabel("b"), Atom(0).debugLabel("c"))
    let (runs, problems, double) = (Tally(), Recorder<AtomProblem>(), DerivedAtom { b.value * 2 })
    let store = store
    store.onProblem = { problem in
      problems.add(problem)
      // The report is not a part of the transaction.
      store.set(c, runs.value)
    }
    @Sendable func transact(repeats: Int) {
      runs.reset()
      store.transaction {
        a.value = a.value + double.value
        if runs.next() <= repeats { Evaluation.setAside { store.update(runs.value == 100 ? b : a) { $0 += 1 } } }
      }
      #expect(runs.value == repeats + 1)
    }
    transact(repeats: 99)
    #expect(problems.all == [] && store.get(c) == 0)
    transact(repeats: 250)
    #expect(problems.all == [.repeatedTransaction(["b"])] && store.get(c) == 100)
    transact(repeats: 100)
    #expect(problems.all == [.repeatedTransaction(["b"]), .repeatedTransaction(["b"])])
    #expect(problems.all.allSatisfy { $0.isWarning })
  }

  @Test func a15_aRepeatWarningNamesAtMostTenAtoms() {
    let (atoms, runs, problems) = ((0..<12).map { Atom(0).debugLabel("\($0)") }, Tally(), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    store.transaction {
      let sum = atoms.reduce(0) { $0 + $1.value }
      if runs.next() <= 100 { Evaluation.setAside { for atom in atoms { store.update(atom) { $0 += 1 } } } }
      return sum
    }
    #expect(problems.all == [.repeatedTransaction((0..<10).map { "\($0)" })])
  }

  @Test func a15_anUnrelatedChangeIsNoConflict() {
    let (a, b, c, runs) = (Atom(1), Atom(2), Atom(3), Tally())
    store.transaction {
      runs.add()
      Evaluation.setAside { store.set(c, 30) }
      b.value = a.value + 1
    }
    #expect(runs.value == 1 && store.diagnostics.repeats == 0)
    #expect(store.get(b) == 2 && store.get(c) == 30)
  }

  @Test func a15_aBlindSetIsNoConflict() {
    let (a, runs) = (Atom(1), Tally())
    let seen = store.transaction { () -> Int in
      runs.add()
      a.value = 5
      Evaluation.setAside { store.set(a, 9) }
      return a.value
    }
    #expect(seen == 5 && store.get(a) == 5)
    #expect(runs.value == 1 && store.diagnostics.repeats == 0)
  }

  @Test func a15_anUpdateLosesNoUpdate() {
    let (a, runs) = (Atom(1), Tally())
    store.update(a) { value in
      if runs.next() <= 3 { Evaluation.setAside { store.update(a) { $0 += 10 } } }
      value += 1
    }
    #expect(store.get(a) == 32 && runs.value == 4 && store.diagnostics.repeats == 3)
  }

  /// Each of two transactions leaves the sum positive, but both together would not.
  @Test func a15_transactionsAreSerializable() {
    let (one, other, runs) = (Atom(60), Atom(60), Tally())
    store.transaction {
      let sum = one.value + other.value
      if runs.next() == 1 {
        Evaluation.setAside { store.transaction { if one.value + other.value >= 100 { other.value -= 100 } } }
      }
      if sum >= 100 { one.value -= 100 }
    }
    #expect(store.get(one) == 60 && store.get(other) == -40 && runs.value == 2)
  }

  // MARK: Nesting

  @Test func a16_aNestedTransactionIsPartOfTheOuterOne() {
    let (a, b, others, seen) = (Atom(1), Atom(2), Recorder<Int>(), Recorder<Int>())
    let sum = DerivedAtom { a.value + b.value }
    let observation = store.observe(sum) { seen.add($0) }
    store.transaction {
      store.transaction { a.value = 10 }
      a.update { $0 += 1 }
      Evaluation.setAside { others.add(store.get(sum)) }
      b.value = a.value
    }
    #expect(others.all == [3] && seen.all == [3, 22])
    #expect(throws: Stop.self) {
      try store.transaction {
        store.transaction { a.value = 100 }
        throw Stop()
      }
    }
    #expect(store.get(a) == 11 && seen.all == [3, 22])
    observation.cancel()
  }

  @Test func a16_valuesThatEndWhereTheyBeganAreNotSet() {
    let (a, inside, calls, runs) = (Atom(1), Recorder<Int>(), Tally(), Tally())
    let double = DerivedAtom { a.value * 2 }
    let text = DerivedAtom { () -> String in
      runs.add()
      return "\(a.value)"
    }
    let observation = store.observe(text, skip: 1) { _ in calls.add() }
    let revision = store.graph.revision
    store.transaction {
      a.value = 2
      inside.add(double.value)
      a.value = 1
    }
    #expect(inside.all == [4] && calls.value == 0)
    #expect(store.get(double) == 2 && store.get(text) == "1" && runs.value == 1)
    #expect(store.graph.revision == revision)
    observation.cancel()
  }

  @Test func a16_aTaskStartedInsideIsNotPartOfIt() async {
    let (a, b, tasks) = (Atom(1), Atom(2), Recorder<Task<Void, Never>>())
    await store.callAsCurrent { () async -> Void in
      try? AtomStore.current.transaction {
        a.value = 10
        tasks.add(Task { b.value = 20 })
        throw Stop()
      }
    }
    for task in tasks.all { await task.value }
    #expect(store.get(a) == 1 && store.get(b) == 20)
  }

  @Test func a16_aNestedTransactionThatThrowsIsUndone() {
    let (a, b) = (Atom(1), Atom(2))
    let sum = DerivedAtom { a.value + b.value }
    let seen = store.transaction { () -> [Int] in
      a.value = 10
      let before = sum.value
      try? store.transaction {
        a.value = 100
        try? store.transaction {
          b.value = 1_000
          throw Stop()
        }
        store.transaction { b.value = 200 }
        #expect(sum.value == 300)
        throw Stop()
      }
      try? store.update(b) { value in
        value = 7
        throw Stop()
      }
      return [before, a.value, b.value, sum.value]
    }
    #expect(seen == [12, 10, 2, 12])
    #expect(store.get(sum) == 12 && store.get(b) == 2)
  }

  @Test func a14_aDerivedValueRunsOnlyForWhatItReads() {
    let (a, b, runs) = (Atom(1), Atom(1), Tally())
    let double = DerivedAtom { () -> Int in
      runs.add()
      return a.value * 2
    }
    let tenth = DerivedAtom { double.value / 10 }
    let texts = Tally()
    let text = DerivedAtom { () -> String in
      texts.add()
      return "\(tenth.value)"
    }
    let seen = store.transaction { () -> [String] in
      a.value = 6
      return (0..<10).map { index in
        b.value = index
        if index == 5 { a.value = 7 }
        return text.value
      }
    }
    #expect(seen == Array(repeating: "1", count: 10) && runs.value == 2 && texts.value == 1)
  }
}
