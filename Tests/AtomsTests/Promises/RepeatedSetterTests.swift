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
    #expect(store.diagnostics.repeats == 1 && store.get(target) == 12)
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
