import Foundation
import Testing

@testable import Atoms

/// On real threads, no call waits for another caller's closure (A4), and all callers agree (A2, A6, A18).
///
/// Each of the first tests would never end if a call waited for a closure.
@Suite struct NoWaitingTests {
  private let store = AtomStore()

  // MARK: Closures that wait for another thread

  @Test func a4_aDerivationMayWaitForAThreadThatReadsTheSameAtom() {
    let (a, runs, others) = (Atom(1), Tally(), Recorder<Int>())
    let known = Recorder<DerivedAtom<Int>>()
    let double = DerivedAtom { [store] () -> Int in
      let value = a.value
      if runs.next() == 1 {
        onAnotherThread {
          store.set(a, 5)
          for atom in known.all { others.add(store.get(atom)) }
          store.update(a) { $0 += 1 }
        }
      }
      return value + a.value
    }
    known.add(double)
    #expect(store.get(double) == 2 && others.all == [10])
    #expect(store.get(double) == 12 && store.diagnostics.kept == 0)
    // The closure holds its own atom.
    known.reset()
  }

  @Test func a4_aCallbackMayWaitForAThreadThatSetsItsAtom() {
    let (a, seen, others) = (Atom(0), Recorder<Int>(), Recorder<Int>())
    let observation = store.observe(a) { [store] value in
      seen.add(value)
      if value == 1 {
        onAnotherThread {
          store.set(a, 2)
          store.set(a, 3)
          others.add(store.get(a))
        }
      }
    }
    store.set(a, 1)
    #expect(seen.all == [0, 1, 2, 3] && others.all == [3])
    observation.cancel()
  }

  @Test func a4_aTransactionMayWaitForAThreadThatCommits() {
    let (a, b, runs) = (Atom(1), Atom(0), Tally())
    store.transaction { [store] in
      let value = a.value
      if runs.next() == 1 { onAnotherThread { store.transaction { a.value += 10 } } }
      b.value = value
    }
    #expect(store.get(b) == 11 && runs.value == 2 && store.diagnostics.repeats == 1)
  }

  // MARK: Many threads

  @Test func a6_threadsThatWantAnAtomRunItOnceEach() {
    let (a, runs) = (Atom(-1), Tally())
    let double = DerivedAtom { () -> Int in
      runs.add()
      let value = a.value
      sched_yield()
      return value + a.value
    }
    for round in 0..<30 {
      store.set(a, round)
      runs.reset()
      let values = Recorder<Int>()
      inThreads(4) { [store] _ in values.add(store.get(double)) }
      #expect(values.all == Array(repeating: 2 * round, count: 4))
      #expect((1...4).contains(runs.value))
    }
  }

  /// Two roots of a diamond that are set independently, and derivations that often lose the processor.
  @Test func a2_slowDerivationsSeeNoMixture() {
    let (a, b, wrong) = (Atom(0), Atom(0), Tally())
    let left = DerivedAtom { () -> [Int] in
      let first = a.value
      sched_yield()
      return [first, a.value, b.value]
    }
    let right = DerivedAtom { () -> [Int] in
      let first = b.value
      sched_yield()
      return [a.value, first, b.value]
    }
    let isSound = DerivedAtom { () -> Bool in
      let one = left.value
      sched_yield()
      let other = right.value
      let (x, y) = (a.value, b.value)
      return one == [x, x, y] && other == [x, y, y]
    }
    inThreads(4) { [store] index in
      for step in 1...200 {
        switch index {
        case 0, 1:
          let own = index == 0 ? a : b
          store.set(own, step)
          if store.get(own) != step { wrong.add() }
        case 2:
          if !store.get(isSound) { wrong.add() }
        default:
          let isEqual = store.snapshot { isSound.value && left.value == [a.value, a.value, b.value] }
          if !isEqual { wrong.add() }
        }
      }
    }
    #expect(wrong.value == 0 && store.get(left) == [200, 200, 200])
    #expect(store.diagnostics.kept == 0 && !store.diagnostics.isPinned)
  }

  /// Watchers come and go while threads set.
  @Test func a18_watchersSeeAscendingValuesUpToTheLast() {
    let (a, wrong) = (Atom(0).debugLabel("a"), Tally())
    let double = DerivedAtom { a.value * 2 }.debugLabel("double")
    let (all, evens) = (Recorder<Int>(), Recorder<Int>())
    let observations = [store.observe(a) { all.add($0) }, store.observe(double) { evens.add($0) }]
    inThreads(4) { [store] index in
      if index < 2 {
        for _ in 0..<150 { store.update(a) { $0 += 1 } }
      } else {
        for _ in 0..<50 {
          let seen = Recorder<Int>()
          let begin = store.get(a)
          let observation =
            index == 2 ? store.observe(a) { seen.add($0) } : store.observe(double) { seen.add($0 / 2) }
          sched_yield()
          observation.cancel()
          let values = seen.all
          if zip(values, values.dropFirst()).contains(where: { $0 >= $1 }) { wrong.add() }
          if let first = values.first, first < begin { wrong.add() }
        }
      }
    }
    #expect(wrong.value == 0 && all.all == Array(0...300))
    #expect(evens.all.first == 0 && evens.all.last == 600)
    #expect(zip(evens.all, evens.all.dropFirst()).allSatisfy { $0 < $1 })
    #expect(["a", "double"].map { store.graph.node($0)?.watchers } == [1, 1])
    withExtendedLifetime(observations) {}
  }
}
