import Testing

@testable import Atoms

/// Atoms that go while something uses them (A15, A18, A21, A32).
@Suite struct ReleaseTests {
  private let store = AtomStore()
  private let source = Atom(1)
  private let output = Atom(0)
  private let runs = Tally()

  /// An atom whose closure creates an atom and an atom derived from it, reads them, and drops them.
  private func makeWasteful() -> DerivedAtom<Int> {
    DerivedAtom { [source, runs] in
      if runs.next() > 1_000 { return -1 }
      let base = Atom(10)
      let double = DerivedAtom { base.value * 2 }
      let sum = DerivedAtom { double.value + source.value }
      return base.value + sum.value
    }
  }

  // MARK: Atoms that a derivation drops

  @Test func a15_anAtomThatADerivationDropsDoesNotRepeatATransaction() throws {
    let (wasteful, tries) = (makeWasteful(), Tally())
    try store.transaction {
      if tries.next() > 3 { throw Stop() }
      output.value = wasteful.value
    }
    #expect(store.get(output) == 31 && store.diagnostics.repeats == 0)
    try store.transaction {
      if tries.next() > 6 { throw Stop() }
      source.value = 2
      output.value = wasteful.value
    }
    #expect(store.get(output) == 32 && store.diagnostics.repeats == 0)
    #expect(store.diagnostics.atoms == 3 && store.diagnostics.kept == 0)
  }

  @Test func a18_anAtomThatADerivationDropsCausesNoDelivery() {
    let (wasteful, seen) = (makeWasteful(), Recorder<Int>())
    let observation = store.observe(wasteful) { seen.add($0) }
    store.set(source, 2)
    store.set(output, 1)
    store.set(source, 3)
    #expect(seen.all == [31, 32, 33] && runs.value < 10)
    withExtendedLifetime(observation) {}
  }

  @Test func a32_aReleaseThatChangesNoValueCreatesNoRevision() {
    var atom: Atom<Int>? = Atom(1)
    #expect(store.get(atom!) == 1)
    let revision = store.graph.revision
    atom = nil
    #expect(store.graph.revision == revision)
  }

  /// The transaction has read the derived atom when it was up to date, so only its mark tells that the source changed.
  @Test func a15_aTransactionRepeatsIfAReleasedAtomMayHaveChanged() {
    let (tries, kept) = (Tally(), Recorder<DerivedAtom<Int>>())
    kept.add(DerivedAtom { [source] in source.value * 10 })
    #expect(store.get(kept.all[0]) == 10)
    store.transaction {
      output.value = kept.all.first?.value ?? -1
      if tries.next() == 1 {
        kept.reset()
        Evaluation.setAside { store.set(source, 2) }
      }
    }
    #expect(store.get(output) == -1 && tries.value == 2)
  }

  // MARK: Atoms that a setter drops

  @Test func a21_aDerivedAtomThatASetterDropsStandsForItsSources() {
    let (factor, other) = (Atom(2), Atom(0))
    let scaled = GetSetAtom { [output] in
      output.value
    } set: { [output] in
      let double = DerivedAtom { factor.value * 2 }
      let product = DerivedAtom { double.value + 1 }
      output.value = $0 * product.value
    }
    store.set(scaled, 5)
    #expect(store.get(output) == 25)
    store.set(other, 1)
    store.set(output, 100)
    #expect(store.get(output) == 100)
    store.set(factor, 3)
    #expect(store.get(output) == 35)
    #expect(store.diagnostics.repeats == 0)
  }

  @Test func a21_aDerivedAtomThatASetterDropsBeforeItSetsCounts() {
    let factor = Atom(2)
    @Sendable func product() -> Int {
      let double = DerivedAtom { factor.value * 2 }
      return double.value
    }
    let scaled = GetSetAtom { [output] in
      output.value
    } set: { [output] in
      let product = product()
      output.value = $0 * product
    }
    store.set(scaled, 5)
    store.set(factor, 3)
    #expect(store.get(output) == 30)
  }

  @Test func a21_aSetterThatATransactionDropsDoesNotRunAgain() {
    let factor = Atom(2)
    store.transaction {
      let scaled = GetSetAtom { [output] in
        output.value
      } set: { [output, runs] in
        runs.add()
        output.value = $0 * factor.value
      }
      scaled.value = 5
      factor.value = 3
    }
    #expect(store.get(output) == 10 && runs.value == 1)
    // A new atom can get the number of the old one.
    let atoms = (0..<10).map { Atom($0) }
    for atom in atoms { store.set(atom, 100) }
    store.set(factor, 4)
    #expect(store.get(output) == 10 && runs.value == 1)
  }

  @Test func a21_anAtomThatAnotherThreadDropsDuringATransactionIsForgotten() {
    let (factor, kept) = (Atom(2), Recorder<Atom<Int>>())
    kept.add(Atom(10))
    let scaled = GetSetAtom { [output] in
      output.value
    } set: { [output] in
      output.value = $0 * factor.value + (kept.all.first?.value ?? 0)
    }
    store.transaction {
      scaled.value = 5
      Evaluation.setAside { kept.reset() }
    }
    #expect(store.get(output) == 20)
    let atoms = (0..<10).map { Atom($0) }
    for atom in atoms { store.set(atom, 100) }
    #expect(store.get(output) == 20)
    store.set(factor, 3)
    #expect(store.get(output) == 15)
  }

  /// The transaction has the last reference to the value that a setter was called with, and the value to an atom.
  @Test(arguments: 0..<5) func a21_aValueThatATransactionDropsCanReleaseAtoms(way: Int) {
    let scaled = GetSetAtom { [output] in
      Atom(output.value)
    } set: { [source, output] new in
      output.value = new.value * source.value
    }
    store.set(source, 10)
    store.transaction {
      scaled.value = Atom(1)
      switch way {
      case 0: scaled.value = Atom(2)
      case 1: store.reset(scaled)
      case 2: store.resetAll()
      case 3:
        try? store.transaction {
          scaled.value = Atom(2)
          throw Stop()
        }
      default:
        store.set(source, 1)
        if runs.next() == 1 { Evaluation.setAside { store.set(source, 11) } }
      }
      let atom = Atom(3)
      #expect(atom.value == 3)
    }
    #expect(store.get(output) == [20, 10, 0, 10, 1][way])
  }
}
