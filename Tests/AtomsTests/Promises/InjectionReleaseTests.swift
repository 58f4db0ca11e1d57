import TestSize
import Testing

@testable import Atoms

/// What injections keep, and when it goes (A12, A32, A33).
@Suite struct InjectionReleaseTests {
  private let store = AtomStore()
  private let source = Atom(1)

  private final class Token: Sendable {}

  @Test func a32_anInjectionGoesWithItsAtom() {
    weak var token: Token?
    for isSet in [false, true] {
      do {
        let (atom, new) = (Atom(1), Token())
        token = new
        store.inject(atom) { withExtendedLifetime(new) { 2 } }
        #expect(store.get(atom) == 2)
        if isSet { store.set(atom, 3) }
        for _ in 0..<10 { store.inject(atom) { withExtendedLifetime(new) { 4 } } }
        #expect(store.get(atom) == 4)
      }
      #expect(token == nil && store.diagnostics.atoms == 0)
    }
    do {
      let new = Token()
      token = new
      store.inject(source) { withExtendedLifetime(new) { 2 } }
      #expect(store.get(source) == 2)
    }
    store.removeInjection(of: source)
    #expect(token == nil && store.get(source) == 1)
  }

  @Test func a32_aRemovedInjectionGoesWithTheLastSnapshotThatSeesIt() {
    weak var token: Token?
    do {
      let new = Token()
      token = new
      store.inject(source) { withExtendedLifetime(new) { 2 } }
    }
    store.snapshot {
      Evaluation.setAside { store.removeInjection(of: source) }
      #expect(token != nil && source.value == 2)
    }
    #expect(token == nil && store.get(source) == 1)
  }

  /// The atom goes while an evaluation checks what its injected closure has read.
  @Test func a33_aReleasedAtomKeepsItsInjectionWhileAnEvaluationComputesIt() {
    let (kept, other, runs) = (Recorder<Atom<Int>>(), Atom(7), Tally())
    kept.add(Atom(1))
    let tens = DerivedAtom { () -> Int in
      if runs.next() == 2 { Evaluation.setAside { kept.reset() } }
      return other.value * 10
    }
    store.inject(kept.all[0]) { tens.value }
    let next = DerivedAtom { kept.all.first?.value ?? -1 }
    #expect(store.get(next) == 70)
    store.set(other, 8)
    #expect(store.get(next) == -1 && runs.value == 2)
    #expect(store.diagnostics.kept == 0)
  }

  /// The closure of each injection has the only reference to the next atom.
  @Test(arguments: [false, true]) func a12_aChainOfInjectionsGoesWithoutRecursion(isRemoved: Bool) {
    let (first, last) = (Atom(0), Atom(0))
    inThreads(1) { [store] _ in
      var next = last
      for _ in 0..<TestSize.length(100_000, short: 20_000) {
        let (atom, holder) = (Atom(0), next)
        store.inject(atom) { withExtendedLifetime(holder) { 1 } }
        next = atom
      }
      let top = next
      store.inject(first) { withExtendedLifetime(top) { 1 } }
    }
    if isRemoved { store.removeInjection(of: first) } else { store.inject(first, value: 2) }
    #expect(store.diagnostics.atoms <= 2)
  }
}
