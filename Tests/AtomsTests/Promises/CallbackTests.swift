import Testing

@testable import Atoms

/// Callbacks hear of each change, one call at a time and in order (A18, A19, A20).
@Suite struct CallbackTests {
  private let store = AtomStore()

  // MARK: Delivering

  @Test func a18_watchersHaveBeenCalledWhenASetReturns() {
    let (a, values, doubles) = (Atom(1), Recorder<Int>(), Recorder<Int>())
    let double = DerivedAtom { a.value * 2 }
    let observations = [store.observe(a) { values.add($0) }, store.observe(double) { doubles.add($0) }]
    #expect(values.all == [1] && doubles.all == [2])
    store.set(a, 2)
    #expect(values.all == [1, 2] && doubles.all == [2, 4])
    store.callAsCurrent { a.value += 1 }
    #expect(values.all == [1, 2, 3] && doubles.all == [2, 4, 6])
    withExtendedLifetime(observations) {}
  }

  @Test func a18_theCallbacksOfAnAtomRunInTheOrderInWhichTheyWereAdded() {
    let (a, calls) = (Atom(0), Recorder<String>())
    a.onUpdate { calls.add("first: \($0)") }
    let second = store.observe(a) { calls.add("second: \($0)") }
    a.onUpdate { calls.add("third: \($0)") }
    let fourth = store.observe(a) { calls.add("fourth: \($0)") }
    #expect(calls.all == ["first: 0", "second: 0", "third: 0", "fourth: 0"])
    calls.reset()
    second.cancel()
    store.set(a, 1)
    #expect(calls.all == ["first: 1", "third: 1", "fourth: 1"])
    fourth.cancel()
  }

  @Test func a18_aChangeByAnotherThreadIsLeftToTheDeliveringOne() {
    let (a, values, doubles, log) = (Atom(0), Recorder<Int>(), Recorder<Int>(), Recorder<String>())
    let double = DerivedAtom { a.value * 2 }
    let observations = [
      store.observe(a) { [store] value in
        values.add(value)
        log.add("begin \(value)")
        if value == 1 {
          Evaluation.setAside {
            store.set(a, 2)
            store.set(a, 3)
            log.add("others have set \(store.get(a))")
          }
        }
        log.add("end \(value)")
      },
      store.observe(double) { doubles.add($0) },
    ]
    log.reset()
    store.set(a, 1)
    #expect(values.all == [0, 1, 2, 3])
    #expect(log.all == ["begin 1", "others have set 3", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
    // Changes of a derived atom may be combined here.
    #expect(doubles.all.first == 0 && doubles.all.last == 6 && Set(doubles.all).count == doubles.all.count)
    #expect(doubles.all == doubles.all.sorted())
    withExtendedLifetime(observations) {}
  }

  @Test func a18_callbacksRunOutsideAnyDerivation() {
    let (insides, seen) = (Tally(), Recorder<Int>())
    let a = Atom(1).onUpdate { value in
      if Evaluation.current != nil { insides.add() }
      seen.add(value)
    }
    // The first use of `a` is in a derivation in a transaction.
    let double = DerivedAtom { a.value * 2 }
    let observation = store.observe(double) { _ in if Evaluation.current != nil { insides.add() } }
    store.transaction {
      a.value = 2
      #expect(double.value == 4 && seen.all == [1])
    }
    #expect(seen.all == [1, 2] && insides.value == 0)
    observation.cancel()
  }

  // MARK: Sets in callbacks

  @Test func a19_aCallbackThatSetsItsOwnAtomNeverRunsInsideItself() {
    let (a, doubles, depth, nested) = (Atom(0), Recorder<Int>(), Tally(), Tally())
    let double = DerivedAtom { a.value * 2 }
    let observations = [
      store.observe(a) { [store] value in
        if depth.next() > 1 { nested.add() }
        if value > 0, value < 5 { store.set(a, value + 1) }
        depth.reset()
      },
      store.observe(double) { value in
        if depth.next() > 1 { nested.add() }
        doubles.add(value)
        depth.reset()
      },
    ]
    store.set(a, 1)
    #expect(store.get(a) == 5 && doubles.all == [0, 2, 4, 6, 8, 10] && nested.value == 0)
    withExtendedLifetime(observations) {}
  }

  @Test func a19_aThousandRoundsAreReportedOnce() {
    let (a, problems) = (Atom(0).debugLabel("a"), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    let double = DerivedAtom { a.value * 2 }.debugLabel("double")
    let last = Recorder<Int>()
    let observations = [
      store.observe(a) { [store] value in if value > 0, value < 1_200 { store.set(a, value + 1) } },
      store.observe(double) { last.add($0) },
    ]
    for limit in [500, 900] {
      // Not enough rounds in a row.
      store.set(a, 1_200 - limit)
      #expect(problems.all.isEmpty && store.get(a) == 1_200)
    }
    store.set(a, 1)
    #expect(problems.all == [.endlessDelivery(["a", "double"])])
    #expect(store.get(a) == 1_200 && last.all.last == 2_400)
    withExtendedLifetime(observations) {}
  }

  /// The sink of the log is a callback, too, although nothing watches the atom.
  @Test func a19_aThousandRoundsOfTheLogAreReported() {
    let (a, b, problems) = (Atom(0).debugLabel("a"), Atom(0), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    store.enableAtomLogging(debugScope: .include([a])) { [store] _ in
      if store.get(a) < 1_200 { store.update(a) { $0 += 1 } }
      store.set(b, 1)
    }
    store.set(a, 300)
    #expect(problems.all.isEmpty && store.get(a) == 1_200)
    store.set(a, 1)
    #expect(problems.all == [.endlessDelivery(["a"])] && store.get(a) == 1_200)
  }

  @Test(arguments: [false, true]) func a19_aThousandRoundsOfADerivedAtomInTheLogAreReported(isOnly: Bool) {
    let (a, problems) = (Atom(0).debugLabel("a"), Recorder<AtomProblem>())
    let double = DerivedAtom { a.value * 2 }.debugLabel("double")
    store.onProblem = { problems.add($0) }
    let react: @Sendable (AtomChange) -> Void = { [store] in
      if $0.label == "double", store.get(a) < 1_200 { store.update(a) { $0 += 1 } }
    }
    store.enableAtomLogging(debugScope: isOnly ? .include([double]) : nil, to: react)
    let observation = store.observe(double) { _ in }
    #expect(problems.all == [.endlessDelivery(["double"])])
    #expect(store.get(a) == 1_200)
    withExtendedLifetime(observation) {}
  }

  @Test func a19_aThousandRoundsOfTheLogAreReportedDespiteOtherChanges() {
    let (a, other, problems) = (Atom(0).debugLabel("a"), Atom(0), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    store.enableAtomLogging(debugScope: .include([a])) { [store] _ in
      onAnotherThread { store.update(other) { $0 += 1 } }
      if store.get(a) < 1_200 { store.update(a) { $0 += 1 } }
    }
    store.set(a, 1)
    #expect(problems.all == [.endlessDelivery(["a"])] && store.get(a) == 1_200)
  }

  @Test func a19_oneChangeByAnotherThreadHidesNoEndlessCallback() {
    let (a, b, c) = (Atom(0).debugLabel("a"), Atom(0), Atom(0))
    let problems = Recorder<AtomProblem>()
    store.onProblem = { problems.add($0) }
    store.enableAtomLogging { _ in }
    let observation = store.observe(a) { [store] value in
      if value == 1 { onAnotherThread { store.set(b, 1) } }
      if value > 0, value < 1_500 {
        store.set(a, value + 1)
        store.set(c, value + 1)
      }
    }
    store.set(a, 1)
    #expect(problems.all == [.endlessDelivery(["a"])] && store.get(a) == 1_500)
    withExtendedLifetime(observation) {}
  }

  /// Another thread sets the source of a derived atom in the log, and the sink sets an unrelated atom.
  @Test func a19_aSinkThatSetsAnotherAtomIsNotReportedForADerivedAtom() async {
    let (a, count, problems) = (Atom(0), Atom(0), Recorder<AtomProblem>())
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    let double = DerivedAtom { a.value * 2 }
    store.onProblem = { problems.add($0) }
    store.enableAtomLogging(debugScope: .include([double])) { [store] _ in
      if store.get(a) < 1_200 {
        onAnotherThread {
          store.update(a) { $0 += 1 }
          _ = store.get(double)
        }
      }
      store.update(count) { $0 += 1 }
      if store.get(a) == 1_200 { end.finish() }
    }
    _ = store.get(double)
    store.set(a, 1)
    _ = store.get(double)
    for await _ in ended {}
    #expect(problems.all.isEmpty && store.get(a) == 1_200 && store.get(count) > 1_100)
  }

  @Test func a19_aThousandRoundsOfAWillSetAtomInTheLogAreReported() {
    let (limited, problems) = (WillSetAtom(0) { min($0, 5_000) }.debugLabel("limited"), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    store.enableAtomLogging { [store] _ in if store.get(limited) < 1_200 { store.update(limited) { $0 += 1 } } }
    store.set(limited, 1)
    #expect(problems.all == [.endlessDelivery(["limited"])] && store.get(limited) == 1_200)
  }

  /// The sink sets another atom, which is not the reason for the further entries.
  @Test(arguments: [false, true], [false, true])
  func a19_aSinkThatSetsAnotherAtomIsNotReported(isObserved: Bool, isLast: Bool) async {
    let (a, count, problems, entries) = (Atom(0), Atom(0), Recorder<AtomProblem>(), Tally())
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    store.onProblem = { problems.add($0) }
    store.enableAtomLogging(debugScope: .include([a])) { [store] _ in
      if !isLast { store.set(count, entries.next()) }
      if store.get(a) < 1_200 { onAnotherThread { store.update(a) { $0 += 1 } } }
      if isLast { store.set(count, entries.next()) }
      if store.get(count) == 1_200 { end.finish() }
    }
    let observation = isObserved ? store.observe(count) { _ in } : nil
    store.set(a, 1)
    for await _ in ended {}
    #expect(problems.all.isEmpty && store.get(a) == 1_200 && store.get(count) == 1_200)
    withExtendedLifetime(observation) {}
  }

  /// The sink reads a derived atom after another thread has set its source.
  @Test func a19_changesByOtherThreadsAreNotReported() async {
    let (a, problems, entries) = (Atom(0), Recorder<AtomProblem>(), Tally())
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    store.onProblem = { problems.add($0) }
    let double = DerivedAtom { a.value * 2 }
    store.enableAtomLogging(debugScope: .include([double])) { [store] _ in
      entries.add()
      if store.get(a) < 1_200 { onAnotherThread { store.update(a) { $0 += 1 } } }
      if store.get(double) == 2_400, entries.value == 1_201 { end.finish() }
    }
    _ = store.get(double)
    for await _ in ended {}
    #expect(problems.all.isEmpty)
    #expect(store.get(double) == 2_400)
    #expect(entries.value == 1_201)
  }

  /// A closure that wraps itself at each access overflows the stack.
  @Test func manyProblemsAreReportedOnASmallStack() {
    let (a, count) = (Atom(0), Tally())
    store.onProblem = { _ in count.add() }
    inThreads(1, stackSize: 512 << 10) { [store] _ in
      for _ in 0..<50_000 { store.snapshot { a.value = 1 } }
    }
    #expect(count.value == 50_000)
  }

  // MARK: The life of a callback

  @Test func a20_skipLeavesOutTheFirstCalls() {
    let (a, seen) = (Atom(1), Recorder<[Int]>())
    let observations = (0..<4).map { skip in store.observe(a, skip: skip) { seen.add([skip, $0]) } }
    store.set(a, 2)
    store.set(a, 3)
    let bySkip = (0..<4).map { skip in seen.all.filter { $0[0] == skip }.map { $0[1] } }
    #expect(bySkip == [[1, 2, 3], [2, 3], [3], []])
    withExtendedLifetime(observations) {}
  }

  @Test func a20_anObservationEndsWhenItIsCanceledOrReleased() {
    let (a, seen) = (Atom(1).debugLabel("a"), Recorder<Int>())
    do {
      let observation = store.observe(a) { seen.add($0) }
      store.set(a, 2)
      withExtendedLifetime(observation) {}
    }
    store.set(a, 3)
    let observation = store.observe(a) { seen.add($0) }
    observation.cancel()
    store.set(a, 4)
    observation.cancel()
    #expect(seen.all == [1, 2, 3])
    #expect(store.graph.node("a")?.watchers == 0)
  }

  @Test func a20_noCallBeginsAfterACancellationInACallback() {
    let (a, seen, observations) = (Atom(0), Recorder<Int>(), Recorder<AtomObservation>())
    for index in 0..<3 {
      observations.add(
        store.observe(a, skip: 1) { value in
          seen.add(10 * value + index)
          if value == 2 { for observation in observations.all { observation.cancel() } }
        })
    }
    for value in 1...3 { store.set(a, value) }
    #expect(seen.all == [10, 11, 12, 20])
  }

  @Test func a20_onUpdateBeginsWithTheFirstUseInEachStore() {
    let (seen, skipped) = (Recorder<Int>(), Recorder<Int>())
    let a = Atom(1).onUpdate { seen.add($0) }.onUpdate(skip: 1) { skipped.add($0) }
    #expect(seen.all.isEmpty)
    store.set(a, 2)
    #expect(seen.all == [1, 2] && skipped.all == [2])
    let other = AtomStore()
    #expect(other.get(a) == 1)
    other.set(a, 3)
    #expect(seen.all == [1, 2, 1, 3] && skipped.all == [2, 3])
    let late = Recorder<Int>()
    a.onUpdate { late.add($0) }
    #expect(late.all.sorted() == [2, 3])
  }

  @Test func a20_onUpdateOfADerivedAtomHearsOfEachValue() {
    let (a, seen) = (Atom(1), Recorder<Int>())
    let tens = DerivedAtom { a.value / 10 }.onUpdate { seen.add($0) }
    for value in [5, 10, 15, 20] { store.set(a, value) }
    #expect(seen.all.isEmpty)
    #expect(store.get(tens) == 2 && seen.all == [2])
    for value in [25, 30] { store.set(a, value) }
    #expect(seen.all == [2, 3])
    withExtendedLifetime(tens) {}
  }

  private final class Token: Sendable {}

  @Test func a20_onUpdateHearsOfTheFirstSetOfEachKindOfAtom() {
    let (target, calls) = (Atom(1), Recorder<Int>())
    let limited = WillSetAtom(2) { min($0, 10) }
    let mirror = GetSetAtom {
      target.value * 100
    } set: {
      target.value = $0 / 100
    }
    limited.onUpdate { calls.add($0) }
    mirror.onUpdate { calls.add($0) }
    store.set(limited, 30)
    store.set(mirror, 500)
    #expect(calls.all == [2, 10, 100, 500])
    calls.reset()
    let other = AtomStore()
    other.reset(limited)
    other.reset(mirror)
    other.set(limited, 5)
    #expect(calls.all == [2, 100, 5])
  }

  @Test func a18_theReleaseOfAnAtomInATransactionDeliversNothing() {
    let (noisy, calls) = (Atom(0), Recorder<String>())
    noisy.onUpdate { calls.add("\($0)") }
    store.transaction {
      noisy.value = 1
      do {
        let temporary = Atom(2)
        noisy.value += temporary.value
      }
      calls.add("end")
    }
    #expect(calls.all == ["end", "0", "3"])
  }

  @Test func a20_anUpdateClosureGoesWithItsAtom() {
    weak var token: Token?
    do {
      let held = Token()
      token = held
      let a = Atom(1).onUpdate { _ in withExtendedLifetime(held) {} }
      store.set(a, 2)
      #expect(token != nil)
    }
    #expect(token == nil && store.diagnostics.atoms == 0)
  }

  /// A set in a callback closes a round even if it marks no atom, because the watched atom is already out of date.
  @Test func a17_aWatcherSeesEachOfTwoSetsInACallback() {
    let (a, b, pairs) = (Atom(0), Atom(0), Recorder<[Int]>())
    let pair = DerivedAtom { [a.value, b.value] }
    let observations = [
      store.observe(a) { [store] value in
        if value == 0 { return }
        store.set(b, 1)
        store.set(b, 2)
      },
      store.observe(pair) { pairs.add($0) },
    ]
    store.set(a, 1)
    #expect(pairs.all == [[0, 0], [1, 0], [1, 1], [1, 2]])
    withExtendedLifetime(observations) {}
  }

  @Test func a20_aWatcherThatLeavesInACallbackLeavesTheOthersAlone() {
    let (a, seen) = (Atom(0), Recorder<Int>())
    let watchers = Recorder<AtomObservation>()
    for index in 0..<10 {
      watchers.add(
        store.observe(a) { value in
          seen.add(index)
          if value == 1, index == 3 { for other in [0, 3, 5, 9] { watchers.all[other].cancel() } }
        })
    }
    seen.reset()
    store.set(a, 1)
    #expect(seen.all == [0, 1, 2, 3, 4, 6, 7, 8])
    seen.reset()
    store.set(a, 2)
    #expect(seen.all == [1, 2, 4, 6, 7, 8])
  }
}
