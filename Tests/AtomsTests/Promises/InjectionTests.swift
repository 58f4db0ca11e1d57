import Testing

@testable import Atoms

/// Injections replace an atom's default value or closure in one store (A33).
@Suite struct InjectionTests {
  private let store = AtomStore()
  private let runs = Tally()
  private let source = Atom(1).debugLabel("source")

  private func makeDouble() -> DerivedAtom<Int> {
    DerivedAtom { [source, runs] in
      runs.add()
      return source.value * 2
    }
  }

  // MARK: Each type of atom

  @Test func a33_anInjectedValueReplacesADefaultValue() {
    let double = makeDouble()
    store.inject(source, value: 10)
    #expect(store.get(source) == 10 && store.get(double) == 20)
    #expect(AtomStore().get(source) == 1)
    store.set(source, 11)
    #expect(store.get(source) == 11 && store.get(double) == 22)
    store.reset(source)
    #expect(store.get(source) == 10 && store.get(double) == 20)
    store.set(source, 12)
    store.resetAll()
    #expect(store.get(source) == 10 && store.get(double) == 20)
    store.removeInjection(of: source)
    #expect(store.get(source) == 1 && store.get(double) == 2)
  }

  @Test func a33_anInjectedClosureReplacesADerivation() {
    let (double, other) = (makeDouble(), Atom(5))
    let next = DerivedAtom { double.value + 1 }
    store.inject(double) { other.value * 100 }
    #expect(store.get(double) == 500 && store.get(next) == 501)
    // A change of what its own closure would read does not undo it.
    store.set(source, 2)
    #expect(store.get(double) == 500 && store.get(next) == 501)
    store.set(other, 6)
    #expect(store.get(double) == 600 && store.get(next) == 601 && runs.value == 0)
    store.inject(double, value: -1)
    #expect(store.get(next) == 0 && runs.value == 0)
    store.removeInjection(of: double)
    #expect(store.get(next) == 5 && store.get(double) == 4 && runs.value == 1)
    store.removeInjection(of: double)
    #expect(store.get(double) == 4 && runs.value == 1)
  }

  @Test func a33_theValueBeforeAnInjectionComesBack() {
    let (limited, double) = (WillSetAtom(1) { min($0, 10) }, makeDouble())
    store.set(source, 7)
    store.set(limited, 8)
    #expect(store.get(double) == 14)
    store.inject(source, value: 70).inject(limited, value: 80)
    #expect(store.get(source) == 70 && store.get(limited) == 80 && store.get(double) == 140)
    store.set(source, 71)
    store.set(limited, 81)
    #expect(store.get(limited) == 10)
    store.removeInjection(of: source)
    store.removeInjection(of: limited)
    #expect(store.get(source) == 7 && store.get(limited) == 8 && store.get(double) == 14)
    store.set(limited, 3)
    #expect(store.get(limited) == 3)
  }

  @Test func a33_neitherTheGetterNorTheSetterOfAnInjectedAtomRuns() {
    let (factor, sets) = (Atom(2), Tally())
    let scaled = GetSetAtom { [source, runs] in
      runs.add()
      return source.value * factor.value
    } set: { [source] in
      sets.add()
      source.value = $0 / factor.value
    }
    store.set(scaled, 8)
    #expect(store.get(source) == 4 && sets.value == 1)
    store.inject(scaled, value: 100)
    // The remembered set does not run the setter again.
    store.set(factor, 4)
    store.set(scaled, 50)
    #expect(store.get(scaled) == 50 && store.get(source) == 4 && sets.value == 1 && runs.value == 0)
    store.reset(scaled)
    #expect(store.get(scaled) == 100)
    store.removeInjection(of: scaled)
    #expect(store.get(scaled) == 16)
    store.set(scaled, 20)
    #expect(store.get(source) == 5 && sets.value == 2)
  }

  @Test func a33_closuresForAResetChangeTheInjectedValue() {
    let atom = Atom(1).onReset { $0 += 5 }
    let limited = WillSetAtom(1) { min($0, 10) }.onReset { $0 += 5 }
    store.inject(atom) { [source] in source.value * 10 }.inject(limited, value: 20)
    store.set(source, 3)
    store.reset(atom)
    store.resetAll()
    #expect(store.get(atom) == 15 && store.get(limited) == 25)
    store.set(limited, 30)
    #expect(store.get(limited) == 10)
  }

  // MARK: Watching

  @Test func a33_watchersHearOfInjections() {
    let (double, values, doubles) = (makeDouble(), Recorder<Int>(), Recorder<Int>())
    let observations = [store.observe(source) { values.add($0) }, store.observe(double) { doubles.add($0) }]
    store.inject(source, value: 10)
    store.set(source, 11)
    store.inject(source, value: 11)
    store.inject(double) { [source] in source.value }
    store.reset(source)
    store.removeInjection(of: source)
    store.removeInjection(of: double)
    #expect(values.all == [1, 10, 11, 1] && doubles.all == [2, 20, 22, 11, 1, 2])
    withExtendedLifetime(observations) {}
  }

  @Test func a36_theLogHasNoHiddenAtoms() {
    let entries = Recorder<String>()
    store.enableAtomLogging { entries.add("\($0.label) \($0.new)") }
    store.inject(source, value: 10)
    store.set(source, 11)
    #expect(store.get(source) == 11)
    store.removeInjection(of: source)
    #expect(store.get(source) == 1)
    #expect(entries.all == ["source 11", "source 1"])
    #expect(store.graph.atoms.map(\.label) == ["source"] && store.diagnostics.atoms == 1)
  }

  @Test func a1_anInjectionOfAnEqualValueChangesNothing() {
    let (double, values, doubles) = (makeDouble(), Tally(), Tally())
    let limited = WillSetAtom(1) { min($0, 10) }
    let entries = Recorder<String>()
    let observations = [
      store.observe(source, skip: 1) { _ in values.add() }, store.observe(double, skip: 1) { _ in doubles.add() },
    ]
    store.enableAtomLogging { entries.add("\($0.label) \($0.new)") }
    store.inject(source, value: 1)
    store.set(source, 1)
    store.removeInjection(of: source)
    store.set(source, 1)
    #expect(store.get(source) == 1 && store.get(double) == 2)
    #expect(values.value == 0 && doubles.value == 0 && runs.value == 1 && entries.all == [])
    withExtendedLifetime(observations) {}
    store.inject(limited, value: 5)
    store.set(source, 2)
    store.inject(source, value: 3)
    for (atom, value) in [(source, 4), (source, 3)] {
      store.set(atom, value)
      store.set(limited, value)
      let revision = store.graph.revision
      store.set(atom, value)
      store.set(limited, value)
      #expect(store.graph.revision == revision)
    }
  }

  @Test func a33_aResetOfAllAtomsLeavesWhatInjectionsReplace() {
    let limited = WillSetAtom(1) { min($0, 10) }
    store.set(limited, 5)
    store.set(source, 6)
    store.inject(limited, value: 7).inject(source, value: 8)
    store.resetAll()
    #expect(store.get(limited) == 7 && store.get(source) == 8)
    store.removeInjection(of: limited)
    store.removeInjection(of: source)
    #expect(store.get(limited) == 5 && store.get(source) == 6)
    store.resetAll()
    #expect(store.get(limited) == 1 && store.get(source) == 1)
  }

  @Test func a33_anAtomBehavesAsBeforeAfterARemoval() {
    let atom = Atom(1).onReset { $0 += 5 }
    for round in 1...3 {
      store.set(atom, round * 10)
      store.inject(atom, value: -1)
      store.set(atom, -2)
      store.removeInjection(of: atom)
      #expect(store.get(atom) == round * 10)
      store.update(atom) { $0 += 1 }
      #expect(store.get(atom) == round * 10 + 1)
      store.transaction {
        atom.value += 1
        #expect(atom.value == round * 10 + 2)
      }
      #expect(store.get(atom) == round * 10 + 2)
      store.reset(atom)
      #expect(store.get(atom) == 6)
    }
  }

  // MARK: Revisions

  /// Each store sees one state of the injections at each revision.
  @Test func a3_evaluationsSeeTheInjectionsOfTheirRevision() {
    for isKnown in [false, true] {
      let double = makeDouble()
      if isKnown { #expect(store.get(double) == 2) }
      func look() -> [Int] { [source.value, double.value] }
      store.snapshot {
        #expect(!isKnown || look() == [1, 2])
        Evaluation.setAside {
          store.inject(source, value: 10).inject(double, value: -1)
          #expect(store.get(source) == 10 && store.get(double) == -1)
        }
        #expect(look() == [1, 2])
        store.snapshot { #expect(look() == [1, 2]) }
      }
      store.snapshot {
        Evaluation.setAside {
          store.removeInjection(of: source)
          store.removeInjection(of: double)
          #expect(store.get(double) == 2)
        }
        #expect(look() == [10, -1])
      }
      #expect(store.get(source) == 1 && store.get(double) == 2 && store.diagnostics.kept == 0)
    }
  }

  @Test func a33_aRunThatBeganBeforeAnInjectionDoesNotUndoIt() {
    let isFirst = Tally()
    let known = Recorder<DerivedAtom<Int>>()
    known.add(
      DerivedAtom { [store, source] in
        if isFirst.next() == 1 {
          Evaluation.setAside {
            _ = store.inject(known.all[0]) { [runs] in
              runs.add()
              return -1
            }
          }
        }
        return source.value * 2
      })
    let next = DerivedAtom { known.all[0].value }
    #expect(store.get(next) == 2)
    #expect(store.get(next) == -1 && store.get(known.all[0]) == -1)
    store.set(source, 2)
    #expect(store.get(next) == -1 && runs.value == 1)
  }

  @Test func a33_aSetThatMeetsAnInjectionSetsTheInjectedValue() {
    let known = Recorder<GetSetAtom<Int>>()
    known.add(
      GetSetAtom { [source] in
        source.value
      } set: { [store, runs, source] in
        if runs.next() == 1 { Evaluation.setAside { _ = store.inject(known.all[0], value: 10) } }
        source.value = $0
      })
    store.set(known.all[0], 5)
    #expect(store.get(known.all[0]) == 5 && store.get(source) == 1 && runs.value == 1)
    store.reset(known.all[0])
    #expect(store.get(known.all[0]) == 10)
    known.reset()
  }

  @Test func a15_anInjectionRepeatsATransaction() {
    let (double, target, tries, seen) = (makeDouble(), Atom(0), Tally(), Recorder<[Int]>())
    store.transaction {
      target.value = source.value
      if tries.next() == 1 {
        Evaluation.setAside { _ = store.inject(source, value: 10).inject(double) { [source] in source.value * 3 } }
      }
      source.value += 1
      target.value += double.value
      seen.add([source.value, double.value])
    }
    #expect(seen.all == [[2, 4], [11, 33]])
    #expect(store.get(target) == 43 && store.get(source) == 11)
    store.reset(source)
    #expect(store.get(double) == 30)
  }

  /// After its set, the transaction must not use the value of the closure that the removal has replaced.
  @Test func a14_aRemovalLeavesATransactionItsOwnValues() {
    let seen = Recorder<[Int]>()
    store.inject(source) { 10 }
    let double = makeDouble()
    #expect(store.get(double) == 20)
    store.transaction {
      let other = Atom(0)
      other.value = 1
      if seen.all.isEmpty { Evaluation.setAside { store.removeInjection(of: source) } }
      seen.add([source.value, double.value])
    }
    #expect(seen.all == [[10, 20], [1, 2]])
  }

  @Test func a14_aFormerInjectionSeesTheSetsOfATransaction() {
    let (base, seen) = (Atom(1), Recorder<Int>())
    store.inject(source) { base.value * 10 }
    #expect(store.get(source) == 10)
    store.transaction {
      if seen.all.isEmpty { Evaluation.setAside { store.removeInjection(of: source) } }
      base.value = 2
      seen.add(source.value)
    }
    #expect(seen.all == [20, 1])
  }

  @Test func a16_aSetOnTopOfAnInjectionIsUndone() {
    store.inject(source, value: 10)
    try? store.transaction {
      source.value = 11
      #expect(source.value == 11)
      throw Stop()
    }
    #expect(store.get(source) == 10)
  }

  // MARK: Mistakes

  @Test func a10_anInjectionInAnEvaluationIsRefused() {
    let problems = Recorder<AtomProblem>()
    store.onProblem = { problems.add($0) }
    let wrong = DerivedAtom { [store, source] in
      store.inject(source, value: 10)
      return source.value
    }.debugLabel("wrong")
    #expect(store.get(wrong) == 1)
    store.transaction {
      store.inject(source, value: 10)
      store.removeInjection(of: source)
    }
    #expect(
      problems.all == [
        .setInDerivation("source", in: "wrong"), .injectionInTransaction("source"), .injectionInTransaction("source"),
      ])
    #expect(store.get(source) == 1)
  }
}
