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

  /// Two sets in a callback share a round, which then has the only reference to the first value.
  @Test func a5_valuesOfARoundAreReleasedWithoutTheLock() {
    let (store, released, start) = (AtomStore(), Atom(0), Atom(0))
    let atom = Atom<Probe?>(nil)
    let seen = Mutex(0)
    let observation = store.observe(atom) { value in if value != nil { seen.withLock { $0 += 1 } } }
    let trigger = store.observe(start) { value in
      for _ in 0..<value { store.set(atom, Probe(store, released)) }
    }
    store.set(start, 3)
    #expect(store.get(released) == 2 && seen.withLock { $0 } == 3)
    store.set(atom, nil)
    #expect(store.get(released) == 3)
    withExtendedLifetime((observation, trigger)) {}
  }

  /// The release of a former value runs user code, which could wait for a run that this thread is about to start.
  @Test func a4_noRunIsClaimedWhileAValueIsReleased() async {
    let (store, source) = (AtomStore(), Atom(0))
    let claims = Recorder<Bool>()
    let witness = Mutex<(@Sendable () -> Void)>({})
    let derived = DerivedAtom { () -> OnRelease in
      _ = source.value
      return OnRelease { witness.withLock { $0 }() }
    }
    let runs = AsyncAtom {
      _ = derived.value
      return 1
    }
    #expect(await store.callAsCurrent { try? await runs.result } == 1)
    let node = store.core.find(runs.definition.runs!)!.retained.node
    witness.withLock {
      $0 = {
        let isFree = store.core.state.withLock { $0.logic[node].claim == .none }
        claims.add(isFree)
      }
    }
    store.set(source, 1)
    _ = store.get(runs)
    #expect(claims.all == [true])
    witness.withLock { $0 = {} }
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
