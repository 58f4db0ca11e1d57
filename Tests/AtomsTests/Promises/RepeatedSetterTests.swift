import Testing

@testable import Atoms

/// Setters that run again when something they read changes (A21).
@Suite struct RepeatedSetterTests {
  private let store = AtomStore()
  private let target = Atom(0)
  private let runs = Tally()

  /// An atom whose setter stores its value times a factor in `target`.
  private func makeScaled(_ factor: @escaping @Sendable () -> Int) -> GetSetAtom<Int> {
    GetSetAtom { [target] in
      target.value
    } set: { [target, runs] in
      runs.add()
      target.value = $0 * factor()
    }
  }

  // MARK: What the setter sets itself

  @Test func a21_anAtomThatWasSetBeforeTheSetterDoesNotCauseAnotherRun() {
    let (sum, factor) = (Atom(0), Atom(1))
    let addition = GetSetAtom {
      sum.value
    } set: {
      sum.value += $0 * factor.value
    }
    store.transaction {
      sum.value = 10
      addition.value = 5
    }
    #expect(store.get(sum) == 15)
    store.set(sum, 100)
    #expect(store.get(sum) == 100)
  }

  @Test func a21_aValueDerivedFromWhatTheSetterSetsCountsForItsOtherSources() {
    let (width, height, factor) = (Atom(1), Atom(1), Atom(2))
    let scaled = DerivedAtom { width.value * factor.value }
    let size = GetSetAtom {
      width.value
    } set: {
      width.value = $0
      height.value = scaled.value
    }
    store.set(size, 8)
    #expect(store.get(height) == 16)
    store.set(width, 3)
    #expect(store.get(width) == 3 && store.get(height) == 16)
    store.set(factor, 10)
    #expect(store.get(width) == 8 && store.get(height) == 80)
  }

  @Test func a21_aReadOfTheOwnAtomThroughAnotherOneDoesNotCauseAnotherRun() {
    let source = Atom(1)
    let labels = Atom<DerivedAtom<Int>?>(nil)
    let atom = GetSetAtom { [target] in
      target.value + source.value
    } set: { [target, runs] in
      runs.add()
      target.value = $0 + (labels.value?.value ?? 0) * 0
    }
    store.set(labels, DerivedAtom { atom.value * 2 })
    store.set(atom, 5)
    #expect(runs.value == 1)
    store.set(source, 7)
    #expect(runs.value == 1 && store.get(atom) == 12)
    store.set(labels, nil)
    #expect(runs.value == 2)
  }

  // MARK: Derived values that the setter reads

  /// The setter is the first reader of the derived value, after it has set another atom.
  @Test func a21_aSetAfterTheSetterStays() {
    let (width, height, percent) = (Atom(0), Atom(0), Atom(50))
    let ratio = DerivedAtom { percent.value * 2 }
    let size = GetSetAtom {
      width.value
    } set: {
      width.value = $0
      height.value = $0 * ratio.value / 100
    }
    store.set(size, 8)
    #expect(store.get(width) == 8 && store.get(height) == 8)
    store.set(height, 100)
    #expect(store.get(height) == 100)
    store.set(percent, 100)
    #expect(store.get(height) == 16)
  }

  @Test func a21_anEqualDerivedValueDoesNotCauseAnotherRun() {
    let input = Atom(10)
    let tens = DerivedAtom { input.value / 10 }
    let scaled = makeScaled { tens.value }
    store.set(scaled, 5)
    store.set(target, 100)
    store.set(input, 15)
    #expect(runs.value == 1 && store.get(target) == 100)
    store.set(input, 20)
    #expect(runs.value == 2 && store.get(target) == 10)
  }

  @Test func a21_eachInputOfADerivedValueThatTheSetterReadsTwiceCounts() {
    let (choice, first, second) = (Atom(0), Atom(2), Atom(3))
    let picked = DerivedAtom { choice.value == 0 ? first.value : second.value }
    let both = GetSetAtom { [target] in
      target.value
    } set: { [target] in
      choice.value = 0
      let one = picked.value
      choice.value = 1
      target.value = $0 * (one + picked.value)
    }
    store.set(both, 10)
    #expect(store.get(target) == 50)
    store.set(first, 20)
    #expect(store.get(target) == 230)
    store.set(second, 30)
    #expect(store.get(target) == 500)
  }

  @Test func a21_aReadInANestedTransactionThatThrowsCounts() {
    let (choice, first, second) = (Atom(0), Atom(2), Atom(3))
    let picked = DerivedAtom { choice.value == 0 ? first.value : second.value }
    let both = GetSetAtom { [target] in
      target.value
    } set: { [target, store] in
      var one = 0
      try? store.transaction {
        choice.value = 1
        one = picked.value
        throw Stop()
      }
      target.value = $0 * (one + picked.value)
    }
    store.set(both, 10)
    #expect(store.get(target) == 50 && store.get(choice) == 0)
    store.set(second, 30)
    #expect(store.get(target) == 320)
    store.set(first, 20)
    #expect(store.get(target) == 500)
  }

  private struct Opaque: Sendable {
    let number: Int
  }

  @Test func a21_aValueWithoutEquatableThatIsNotComputedAgainDoesNotCauseAnotherRun() {
    let (input, unrelated) = (Atom(2), Atom(0))
    let opaque = DerivedAtom { Opaque(number: input.value) }
    let scaled = GetSetAtom { [target] in
      target.value
    } set: { [target, runs] value in
      runs.add()
      unrelated.value = value
      target.value = value * opaque.value.number
    }
    store.set(scaled, 5)
    store.set(target, 100)
    store.set(unrelated, 1)
    #expect(runs.value == 1 && store.get(target) == 100)
    store.set(input, 3)
    #expect(runs.value == 2 && store.get(target) == 15)
  }

  // MARK: Several setters

  @Test func a21_aSetterThatSetsThroughAnotherSetterRunsAgain() {
    let (factor, offset) = (Atom(2), Atom(10))
    let inner = makeScaled { factor.value }
    let outer = GetSetAtom {
      inner.value
    } set: {
      inner.value = $0 + offset.value
    }
    store.set(outer, 1)
    #expect(store.get(target) == 22)
    store.set(factor, 3)
    #expect(store.get(target) == 33)
    store.set(offset, 20)
    #expect(store.get(target) == 63)
  }

  @Test func a21_settersRunAgainInTheOrderInWhichTheirAtomsWereSet() {
    let factor = Atom(1)
    let atoms = (0..<20).map { _ in makeScaled { factor.value } }
    for (index, atom) in atoms.enumerated() { store.set(atom, index) }
    store.set(atoms[7], 100)
    store.set(factor, 2)
    #expect(store.get(target) == 200)
    withExtendedLifetime(atoms) {}
  }

  // MARK: Inside a transaction

  @Test func a14_aReadInsideATransactionSeesWhatASetterSets() throws {
    let (factor, copy, other) = (Atom(3), Atom(0), Atom(0))
    let scaled = makeScaled { factor.value }
    let double = DerivedAtom { [target] in target.value * 2 }
    store.set(scaled, 10)
    store.transaction { [target, store] in
      factor.value = 4
      copy.value = target.value
      #expect(copy.value == 40 && double.value == 80)
      factor.value = 5
      store.snapshot { #expect(target.value == 50) }
      factor.value = 6
      #expect(CaptureAtom(target).wrappedValue == 60)
      factor.value = 7
      other.value += 1
      #expect(double.value == 140)
    }
    #expect(store.get(copy) == 40 && store.get(target) == 70)
  }

  /// A nested transaction that throws undoes what the setter has set in it, so the setter runs again.
  @Test func a16_aNestedTransactionThatThrowsUndoesTheRunOfASetter() {
    let factor = Atom(3)
    let scaled = makeScaled { factor.value }
    store.set(scaled, 10)
    store.transaction { [target, store] in
      factor.value = 4
      try? store.transaction {
        #expect(target.value == 40)
        throw Stop()
      }
      #expect(target.value == 40 && factor.value == 4)
    }
    #expect(store.get(target) == 40 && runs.value == 3)
  }

  /// The setter of one atom reads what the setter of another one sets.
  @Test func a14_aSetterSeesWhatEarlierSettersSet() {
    let (factor, sum) = (Atom(3), Atom(0))
    let scaled = makeScaled { factor.value }
    let added = GetSetAtom {
      sum.value
    } set: { [target] in
      sum.value = $0 + target.value
    }
    store.set(scaled, 10)
    store.transaction { [store] in
      factor.value = 4
      store.set(added, 1)
      #expect(sum.value == 41)
    }
    #expect(store.get(sum) == 41)
  }

  /// What decides that the setter need not run again is part of what the commit verifies.
  @Test(arguments: [false, true]) func a15_anEqualSetIsAConflictIfASetterHasReadTheAtom(isDerived: Bool) {
    let unit = Atom(4)
    let half = DerivedAtom { unit.value / 2 * 2 }
    let scaled = makeScaled { isDerived ? half.value : unit.value }
    store.set(scaled, 10)
    let tries = Tally()
    store.transaction {
      unit.value = 4
      if tries.next() == 1 { Evaluation.setAside { store.set(unit, 2) } }
    }
    #expect(store.get(unit) == 4 && store.get(target) == 40 && store.diagnostics.repeats == 1)
  }

  /// A snapshot of another store surrounds the read that makes the setter run again.
  @Test(arguments: [false, true]) func a14_aSetterRunsAgainInItsOwnStore(isCurrent: Bool) {
    let (factor, other) = (Atom(1), AtomStore())
    let scaled = makeScaled { factor.value }
    store.set(scaled, 5)
    store.transaction { [store, target] in
      store.set(factor, 2)
      let read: @Sendable () -> Int = { other.snapshot { store.get(target) } }
      let seen = isCurrent ? other.callAsCurrent(read) : read()
      #expect(seen == 10)
    }
    #expect(store.get(target) == 10 && other.get(target) == 0)
    store.set(factor, 3)
    #expect(store.get(target) == 15)
  }

  /// The transaction's own set has no reads that count, so it ends the repetition.
  @Test func a15_aSetWithoutReadsIsAConflictWithAnother() {
    let factor = Atom(2)
    let scaled = GetSetAtom { [target] in
      target.value
    } set: { [target] in
      target.value = $0 == 0 ? 0 : $0 * factor.value
    }
    let tries = Tally()
    store.transaction { [store] in
      store.set(scaled, 0)
      if tries.next() == 1 { Evaluation.setAside { store.set(scaled, 5) } }
    }
    #expect(store.get(target) == 0 && store.diagnostics.repeats == 1)
    store.set(factor, 3)
    #expect(store.get(target) == 0)
  }

  // MARK: What does not concern a setter

  @Test func a21_anUnrelatedChangeDoesNotComputeWhatASetterHasRead() {
    let (factor, other, copies) = (Atom(3), Atom(0), Tally())
    let copy = DerivedAtom {
      copies.add()
      return factor.value
    }
    let scaled = makeScaled { copy.value }
    store.set(scaled, 10)
    store.set(other, 1)
    let count = copies.value
    for number in 2..<10 { store.set(other, number) }
    store.transaction { other.value = 100 }
    #expect(copies.value == count)
    store.set(factor, 4)
    #expect(store.get(target) == 40)
  }

  /// The derived value gets another dependency without a change of its value, in the same transaction.
  @Test func a21_aNewDependencyOfAnEqualValueCounts() {
    let (choice, first, second) = (Atom(true), Atom(2), Atom(2))
    let picked = DerivedAtom { choice.value ? first.value : second.value }
    let scaled = makeScaled { picked.value }
    store.set(scaled, 10)
    store.transaction { [target] in
      choice.value = false
      #expect(target.value == 20)
      second.value = 3
      #expect(target.value == 30)
    }
    #expect(store.get(target) == 30 && runs.value == 2)
    store.set(second, 4)
    #expect(store.get(target) == 40)
    store.set(first, 9)
    #expect(runs.value == 3)
  }

  /// What changes without a transaction can give a derived value other dependencies.
  @Test func a21_aNewDependencyAfterAnInjectionCounts() {
    let (first, second) = (Atom(2), Atom(2))
    let picked = DerivedAtom { first.value }
    let scaled = makeScaled { picked.value }
    store.set(scaled, 10)
    store.set(first, 3)
    store.inject(picked) { second.value }
    store.set(second, 5)
    #expect(store.get(target) == 50)
  }

  // MARK: Other transactions

  @Test func a15_aRememberedSetterIsNoConflict() {
    let (factor, one, other) = (Atom(2), Atom(0), Atom(0))
    let scaled = makeScaled { factor.value }
    store.set(scaled, 5)
    store.transaction {
      one.value = 1
      Evaluation.setAside { store.set(other, 1) }
    }
    #expect(store.diagnostics.repeats == 0 && runs.value == 1)
    let tries = Tally()
    store.transaction {
      one.value = 2
      if tries.next() == 1 { Evaluation.setAside { store.set(scaled, 6) } }
    }
    #expect(store.diagnostics.repeats == 0 && store.get(target) == 12)
    // The setter has already run with its former value.
    store.transaction { [target] in
      factor.value = 3
      _ = target.value
      if tries.next() == 2 { Evaluation.setAside { store.set(scaled, 7) } }
    }
    #expect(store.diagnostics.repeats == 1 && store.get(target) == 21)
  }

  /// Neither set alone changes what the setter has read.
  @Test func a15_twoTransactionsThatTogetherCauseAnotherRun() {
    let (first, second) = (Atom(false), Atom(false))
    let both = DerivedAtom { first.value && second.value }
    let scaled = makeScaled { both.value ? 2 : 1 }
    store.set(scaled, 5)
    let tries = Tally()
    store.transaction {
      first.value = true
      if tries.next() == 1 { Evaluation.setAside { store.set(second, true) } }
    }
    #expect(store.get(target) == 10 && runs.value >= 2)
  }

  /// The transaction looks at what the setter has read before, which creates a log entry.
  @Test func a18_noCallbackRunsInsideATransaction() {
    let (factor, one, other) = (Atom(2), Atom(0), Atom(0))
    let double = DerivedAtom { factor.value * 2 }.debugLabel("double")
    let scaled = makeScaled { double.value }
    let entries = Tally()
    store.enableAtomLogging(debugScope: .include([double])) { [store] entry in
      entries.add()
      store.set(one, entries.value * 100)
    }
    store.set(scaled, 5)
    store.set(factor, 3)
    let (before, repeats) = (entries.value, store.diagnostics.repeats)
    store.transaction { other.value = one.value + 1 }
    #expect(entries.value > before && store.diagnostics.repeats == repeats)
  }

  @Test func a16_aSetterInANestedTransactionThatThrowsIsForgotten() {
    let factor = Atom(2)
    let scaled = makeScaled { factor.value }
    store.set(scaled, 5)
    store.transaction {
      factor.value = 3
      try? store.transaction {
        scaled.value = 100
        throw Stop()
      }
    }
    #expect(store.get(target) == 15)
  }

  @Test func a15_aReleasedAtomIsNoConflictWithARememberedSetter() {
    let (factor, other) = (Atom(2), Atom(0))
    let scaled = makeScaled { factor.value }
    store.set(scaled, 5)
    store.transaction {
      let temporary = Atom(1)
      other.value = temporary.value
    }
    #expect(store.get(other) == 1 && store.diagnostics.repeats == 0)
  }

  @Test func a15_aResetOfASetterKeepsAnotherOne() {
    let (first, second, tries) = (Atom(1), Atom(1), Tally())
    let (one, other) = (makeScaled { first.value }, makeScaled { second.value })
    store.set(one, 1)
    store.transaction {
      store.reset(one)
      if tries.next() == 1 { Evaluation.setAside { store.set(other, 5) } }
    }
    store.set(second, 3)
    #expect(store.get(target) == 15)
  }
}
