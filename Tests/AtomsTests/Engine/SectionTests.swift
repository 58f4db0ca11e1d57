import Synchronization
import Testing

@testable import Atoms

#if DEBUG
  /// The sections that hold the lock of the graph, which other threads wait for.
  @Suite struct SectionTests {
    private let store = AtomStore()

    private func sections(_ body: () -> Void) -> UInt64 {
      let before = CurrentThread.sections
      body()
      return CurrentThread.sections - before
    }

    @Test func setsAndReadsTakeFewSections() {
      let atom = Atom(0)
      let derived = DerivedAtom { atom.value + 1 }
      #expect(store.get(derived) == 1)
      #expect(sections { store.set(atom, 1) } == 1)
      #expect(sections { _ = store.get(atom) } == 0)
      // Begin and find the closure, publish its result, and end.
      #expect(sections { _ = store.get(derived) } == 3)
      #expect(sections { _ = store.get(derived) } == 0)
      #expect(sections { store.set(atom, 1) } == 1)
    }

    @Test func aChainTakesOneSectionForEachNode() {
      let atom = Atom(0)
      var top = DerivedAtom { atom.value }
      for _ in 1..<100 {
        let last = top
        top = DerivedAtom { last.value + 1 }
      }
      #expect(store.get(top) == 99)
      store.set(atom, 1)
      #expect(sections { _ = store.get(top) } == 102)
    }

    @Test func aReadInsideADerivationTakesTwoSections() {
      let atom = Atom(0)
      let (left, right) = (DerivedAtom { atom.value + 1 }, DerivedAtom { atom.value + 2 })
      let sum = DerivedAtom { left.value + right.value }
      #expect(store.get(sum) == 3)
      store.set(atom, 1)
      // Begin and find the left closure, publish its result and find the sum's, find the right closure, publish and
      // copy its result, publish the sum, and end. Only the right atom is not up to date when the sum reads it.
      #expect(sections { _ = store.get(sum) } == 6)
      #expect(sections { _ = store.get(sum) } == 0)
      #expect(store.get(sum) == 5)
    }

    @Test func aDeliveryTakesFewSections() {
      let atom = Atom(0)
      let derived = DerivedAtom { atom.value + 1 }
      let seen = Mutex(0)
      let observation = store.observe(derived) { value in seen.withLock { $0 = value } }
      store.set(atom, 1)
      // Set the atom and find the closure, publish its result and find the callback, and end the round.
      #expect(sections { store.set(atom, 2) } == 3)
      #expect(seen.withLock { $0 } == 3)
      observation.cancel()
    }
  }
#endif
