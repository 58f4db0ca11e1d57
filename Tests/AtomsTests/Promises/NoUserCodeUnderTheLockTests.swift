import Synchronization
import Testing

@testable import Atoms

/// A value whose release uses the store would deadlock if it were released under the store's lock.
@Suite struct NoUserCodeUnderTheLockTests {
  private final class Probe: Sendable {
    private let store: AtomStore
    private let released: Atom<Int>

    init(_ store: AtomStore, _ released: Atom<Int>) { (self.store, self.released) = (store, released) }
    deinit { store.update(released) { $0 += 1 } }
  }

  @Test func a5_valuesAreReleasedWithoutTheLock() {
    let (store, released) = (AtomStore(), Atom(0))
    var atom: Atom<Probe?>? = Atom(nil)
    var derived: DerivedAtom<Probe?>? = DerivedAtom { [atom] in atom!.value }
    store.set(atom!, Probe(store, released))
    store.set(atom!, Probe(store, released))
    #expect(store.get(derived!) != nil)
    var observation: AtomObservation? = store.observe(derived!) { _ in }
    store.transaction { atom!.value = Probe(store, released) }
    store.snapshot {
      Evaluation.setAside { store.set(atom!, Probe(store, released)) }
    }
    store.reset(atom!)
    #expect(store.get(derived!) == nil)
    #expect(store.get(released) == 4)
    store.set(atom!, Probe(store, released))
    observation?.cancel()
    (atom, derived, observation) = (nil, nil, nil)
    #expect(store.get(released) == 5)
  }

  /// The store releases the former value of a derivation when the new one is known.
  @Test func a8_theReleaseOfAValueIsNoPartOfTheDerivation() {
    let (store, released, source) = (AtomStore(), Atom(0), Atom(0))
    let problems = Recorder<AtomProblem>()
    store.onProblem = { problems.add($0) }
    let derived = DerivedAtom { () -> Probe in
      _ = source.value
      return Probe(store, released)
    }
    let outer = DerivedAtom { ObjectIdentifier(derived.value) }.debugLabel("outer")
    let seen = Recorder<Int>()
    let observation = store.observe(released) { value in
      #expect(Evaluation.around(store.core) == nil)
      seen.add(value)
    }
    for number in 1...3 {
      store.set(source, number)
      _ = store.get(outer)
    }
    #expect(store.get(released) == 2 && seen.all == [0, 1, 2])
    #expect(problems.all.isEmpty && store.graph.node("outer")?.dependencies.count == 1)
    withExtendedLifetime(observation) {}
  }

  /// The transaction computes a value for itself twice.
  @Test func a5_valuesOfATransactionAreReleasedWithoutTheLock() {
    let (store, released, source) = (AtomStore(), Atom(0), Atom(0))
    let derived = DerivedAtom { () -> Probe in
      _ = source.value
      return Probe(store, released)
    }
    store.transaction {
      for number in 1...3 {
        source.value = number
        _ = derived.value
      }
    }
    #expect(store.get(released) == 3)
  }

  @Test func a5_settersAreReleasedWithoutTheLock() {
    let (store, released, list, selected) = (AtomStore(), Atom(0), Atom([1, 2]), Atom(0))
    let index = GetSetAtom<Probe?> {
      selected.value == 0 ? nil : nil
    } set: { _ in
      selected.value = list.value[0]
    }
    store.set(index, Probe(store, released))
    store.set(index, Probe(store, released))
    store.reset(index)
    #expect(store.get(released) == 2)
  }
}
