import Synchronization
import TestSize
import Testing

@testable import Atoms

/// Real threads that set and read the same atoms.
@Suite struct ThreadsTests {
  /// Two sources that are always set together, and layers of diamonds with changing dependencies over both.
  @Test func readsAreNeverAMixture() {
    let store = AtomStore()
    let (a, b) = (Atom(0), Atom(0))
    let mixture = Int.min / 4
    var last = DerivedAtom { b.value == 1_000 * a.value ? a.value : mixture }
    for level in 0..<8 {
      let before = last
      let left = DerivedAtom { before.value + 1 + 0 * a.value }
      let right = DerivedAtom { a.value & (1 << level % 3) == 0 ? before.value - 1 : b.value * 0 + before.value - 1 }
      last = DerivedAtom { left.value - right.value == 2 ? right.value + 1 : mixture }
    }
    let top = last
    let delivered = Mutex<(last: Int, wrong: Int)>((-1, 0))
    let observation = store.observe(top) { value in
      delivered.withLock { seen in
        if value <= seen.last { seen.wrong += 1 }
        seen.last = value
      }
    }
    let wrong = Atomic(0)
    let (sets, reads) = (150, 400)
    inThreads(4) { index in
      if index < 2 {
        for _ in 0..<sets {
          let mine = store.transaction { () -> Int in
            a.value += 1
            b.value = 1_000 * a.value
            return a.value
          }
          if store.get(top) < mine { wrong.wrappingAdd(1, ordering: .relaxed) }
        }
      } else {
        var newest = 0
        for _ in 0..<reads {
          let seen =
            index == 2
            ? store.get(top)
            : store.snapshot { b.value == 1_000 * a.value && top.value == a.value ? a.value : mixture }
          if seen < newest { wrong.wrappingAdd(1, ordering: .relaxed) }
          newest = seen
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(store.get(a) == 2 * sets && store.get(top) == 2 * sets)
    #expect(delivered.withLock { $0.wrong } == 0 && delivered.withLock { $0.last } == 2 * sets)
    #expect(!store.diagnostics.isPinned && store.diagnostics.kept == 0)
    observation.cancel()
  }

  /// Atoms that come and go while other threads read others.
  @Test func temporaryAtomsLeaveNothingBehind() {
    let store = AtomStore()
    let base = Atom(1)
    let double = DerivedAtom { base.value * 2 }
    let wrong = Atomic(0)
    let steps = TestSize.length(500, short: 100)
    inThreads(4) { index in
      for step in 0..<steps {
        let own = Atom(step)
        let sum = DerivedAtom { own.value + double.value }
        if index == 0 { store.set(base, step) }
        let (low, high) = (store.get(sum), store.get(own))
        if low < high || high != step { wrong.wrappingAdd(1, ordering: .relaxed) }
        store.set(own, step + 1)
        if store.get(own) != step + 1 { wrong.wrappingAdd(1, ordering: .relaxed) }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(store.diagnostics.atoms == 2 && store.diagnostics.kept == 0)
  }
}

#if DEBUG
  /// Faults that random graphs on one thread cannot find.
  @Suite struct KnownBadThreadsTests {
    @Test(arguments: [[], GraphFaults.commitUnchecked])
    func onlyACommitWithoutACheckLosesAnUpdate(_ fault: GraphFaults) {
      let (store, a, runs) = (AtomStore(), Atom(1), Tally())
      store.plant(fault)
      store.update(a) { value in
        if runs.next() == 1 { onAnotherThread { store.update(a) { $0 += 10 } } }
        value += 1
      }
      #expect(store.get(a) == (fault.isEmpty ? 12 : 2))
    }
  }
#endif
