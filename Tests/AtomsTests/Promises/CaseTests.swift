import ActorStore
import ActorStoreTesting
import TestSize
import Testing

@testable import Atoms

/// Hard cases that other libraries have had trouble with.
///
/// Other suites contain more cases: `DerivingTests` (watched siblings, branches that are no longer read),
/// `ReactivityCasesTests` (repeated observers, unstable dependencies, fan-in and fan-out), `AsyncAtomTests` (loading
/// with the new key), `InjectionTests` (dependencies that undo no injection), and `TemporaryAtomsTests`.
@Suite struct CaseTests {
  private let store = AtomStore()

  /// See jotai's "recursion in a subscriber".
  @Test func aClosureForUpdatesThatSetsItsOwnAtom() {
    let (known, doubles, log) = (Recorder<Atom<Int>>(), Recorder<Int>(), Recorder<String>())
    let a = Atom(0).onUpdate { value in
      log.add("begin")
      // The closure must not capture its own atom.
      for atom in known.all where value > 0 && value < 5 { atom.value += 1 }
      log.add("end")
    }
    known.add(a)
    let double = DerivedAtom { a.value * 2 }
    let observation = store.observe(double) { value in
      log.add("begin")
      doubles.add(value)
      log.add("end")
    }
    store.set(a, 1)
    #expect(store.get(a) == 5 && doubles.all == [0, 2, 4, 6, 8, 10])
    // No callback begins inside another one.
    #expect(log.all.count == 24 && log.all.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "begin" : "end") })
    observation.cancel()
    known.reset()
  }

  /// The first run ignores cancellation, and answers after the one that a reload has started.
  @Test func theRunOfAReloadWins() async throws {
    let (gates, started, ended, runs) = ([Gate(), Gate()], [Gate(), Gate()], Gate(), Tally())
    let slow = AsyncAtom(keepAlive: true) { () async -> Int in
      let run = runs.next()
      started[run - 1].open()
      await gates[run - 1].pass()
      if run == 1 { ended.open() }
      return run
    }
    let seen = Recorder<AsyncState<Int>>()
    let observation = store.observe(slow) { seen.add($0) }
    await started[0].pass()
    store.callAsCurrent { slow.reload() }
    await started[1].pass()
    gates[1].open()
    #expect(try await store.result(of: slow) == 2)
    gates[0].open()
    await ended.pass()
    // The first run has ended when nothing is pinned or running anymore.
    while store.diagnostics.isPinned { await Task.yield() }
    #expect(store.get(slow) == .success(2) && seen.all.last == .success(2))
    #expect(!seen.all.contains(.success(1)) && runs.value == 2)
    withExtendedLifetime(observation) {}
  }

  /// A stream that is canceled while the atom is loading releases it.
  @Test func aStreamStartsOverAfterOneThatWasCanceledWhileLoading() throws {
    try Simulation.explore(schedules: 200) {
      let (store, runs, started, canceled) = (AtomStore(), Tally(), Gate(), Gate())
      let slow = AsyncAtom { () async -> Int in
        let run = runs.next()
        if run > 1 { return run }
        started.open()
        await withTaskCancellationHandler {
          await canceled.pass()
        } onCancel: {
          canceled.open()
        }
        return run
      }
      let reader = Task.inheritingExecutor { () -> [AsyncState<Int>] in
        var seen: [AsyncState<Int>] = []
        for await state in store.values(of: slow) { seen.append(state) }
        return seen
      }
      await started.pass()
      reader.cancel()
      let first = await reader.value
      await canceled.pass()
      var second: [AsyncState<Int>] = []
      for await state in store.values(of: slow) {
        second.append(state)
        if !state.loading { break }
      }
      try Simulation.expect(first.allSatisfy(\.loading), "the canceled stream has \(first)")
      try Simulation.expect(second == [.loading, .success(2)] && runs.value == 2, "\(second), \(runs.value) runs")
    }
  }

  /// See jotai #2014.
  @Test func cutOffInAChainWithASecondEdge() {
    struct Options: Equatable, Sendable {
      var count: Int
      var name: String
    }
    let (options, counts, texts, sums) = (Atom(Options(count: 1, name: "a")), Tally(), Tally(), Tally())
    let count = DerivedAtom {
      counts.add()
      return options.value.count
    }
    let text = DerivedAtom {
      texts.add()
      return "\(count.value)"
    }
    let length = DerivedAtom {
      sums.add()
      return options.value.count + text.value.count
    }
    let calls = Tally()
    let observation = store.observe(length, skip: 1) { _ in calls.add() }
    store.set(options, Options(count: 1, name: "b"))
    #expect(counts.value == 2 && texts.value == 1 && sums.value == 2 && calls.value == 0)
    observation.cancel()
  }

  /// See jotai #2738.
  @Test func aChangingReadOrder() {
    let (isSwapped, a, b, runs) = (Atom(false), Atom(1), Atom(2), Tally())
    let stable = DerivedAtom {
      runs.add()
      return b.value * 10
    }
    let sum = DerivedAtom { isSwapped.value ? stable.value + a.value : a.value + stable.value }
    #expect(store.get(sum) == 21)
    for isOn in [true, false, true] {
      store.set(isSwapped, isOn)
      store.update(a) { $0 += 1 }
      #expect(store.get(sum) == store.get(a) + 20)
    }
    #expect(runs.value == 1)
    store.set(b, 3)
    #expect(store.get(sum) == 34 && runs.value == 2)
  }

  @Test func derivedValuesInsideATransaction() {
    let (a, b) = (Atom(1), Atom(2))
    let sum = DerivedAtom { a.value + b.value }
    #expect(store.get(sum) == 3)
    let seen = store.transaction {
      a.value = 10
      let first = sum.value
      let outside = Evaluation.setAside { store.get(sum) }
      b.value = 20
      return [first, outside, sum.value]
    }
    #expect(seen == [12, 3, 30] && store.get(sum) == 30)
  }

  @Test func thereAndBack() {
    let (a, calls, runs) = (Atom(1), Tally(), Tally())
    let double = DerivedAtom {
      runs.add()
      return a.value * 2
    }
    let observation = store.observe(double, skip: 1) { _ in calls.add() }
    let unwatched = DerivedAtom { a.value + 1 }
    let seen = store.transaction {
      a.value = 2
      let middle = unwatched.value
      a.value = 1
      return [middle, unwatched.value]
    }
    #expect(seen == [3, 2] && calls.value == 0 && runs.value == 1)
    observation.cancel()
  }

  @Test func temporaryAtomsLeaveNothingBehind() {
    let kept = Atom(0, keepAlive: true)
    store.set(kept, 1)
    for index in 0..<TestSize.length(10_000, short: 2_000) {
      let atom = Atom(index)
      let derived = DerivedAtom { atom.value + kept.value }
      let observation = store.observe(derived) { _ in }
      store.set(atom, -1)
      #expect(store.get(derived) == 0)
      withExtendedLifetime(observation) {}
    }
    #expect(store.diagnostics.atoms == 1 && store.graph.atoms.count == 1)
  }

  /// A value without `Equatable` is never equal to another, so each set notifies.
  @Test func valuesThatCannotBeCompared() {
    struct Opaque: Sendable { let number: Int }
    let (atom, calls) = (Atom(Opaque(number: 1)), Tally())
    let observation = store.observe(atom, skip: 1) { _ in calls.add() }
    store.set(atom, Opaque(number: 1))
    store.set(atom, Opaque(number: 1))
    #expect(calls.value == 2)
    observation.cancel()
  }

  /// Values of any size and kind survive a read, on the fast path and on the slow one.
  @Test func valuesOfAllSizes() {
    struct Large: Equatable, Sendable { var numbers = (0..<40).map { "\($0)" }, more = InlineNumbers() }
    struct InlineNumbers: Equatable, Sendable { var a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9 }
    struct Huge: Equatable, Sendable { var one = InlineNumbers(), other = InlineNumbers() }
    struct Empty: Equatable, Sendable {}
    let (large, huge, empty, text) = (Atom(Large()), Atom(Huge()), Atom(Empty()), Atom<String?>(nil))
    store.callAsCurrent {
      for atom in 0..<3 {
        large.value.more.i = atom
        huge.value.other.a = atom
        text.value = atom == 1 ? nil : String(repeating: "x", count: 100 * atom)
        empty.value = Empty()
        #expect(large.value.more.i == atom && large.value.numbers.count == 40)
        #expect(huge.value.other.a == atom && huge.value.one == InlineNumbers())
        #expect(text.value?.count == (atom == 1 ? nil : 100 * atom) && empty.value == Empty())
      }
      let all = DerivedAtom { (large.value.numbers.count, huge.value.other.a, text.value?.count) }
      #expect(all.value == (40, 2, 200))
    }
  }
}
