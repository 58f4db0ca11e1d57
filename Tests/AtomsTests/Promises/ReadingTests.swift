import ActorStore
import Testing

@testable import Atoms

/// Every read is that of one revision (A1, A2, A3), and no user code runs under a lock (A5).
@Suite struct ReadingTests {
  private let store = AtomStore()

  // MARK: Revisions

  @Test func a1_eachSetAndEachTransactionIsOneRevision() {
    let (a, b) = (Atom(1), Atom(2))
    let sum = DerivedAtom { a.value + b.value }
    #expect(store.get(sum) == 3)
    let start = store.graph.revision
    store.set(a, 2)
    #expect(store.graph.revision == start + 1)
    store.transaction {
      a.value = 3
      b.value = 4
      a.value = 5
    }
    #expect(store.graph.revision == start + 2)
    #expect(store.get(sum) == 9)
    store.set(a, 5)
    #expect(store.graph.revision == start + 2)
    withExtendedLifetime(sum) {}
  }

  @Test func a2_aReadSeesTheSetsBeforeIt() {
    let (a, b) = (Atom(0), Atom(0))
    let sum = DerivedAtom { a.value + b.value }
    let text = DerivedAtom { "\(sum.value)" }
    for value in 1...100 {
      store.set(value % 2 == 0 ? a : b, value)
      #expect(store.get(text) == "\(store.get(a) + store.get(b))")
      #expect(store.get(value % 2 == 0 ? a : b) == value)
    }
  }

  @Test func a2_aReadByAnotherThreadDuringADerivationSeesTheNewestRevision() {
    let (a, runs, others) = (Atom(1), Tally(), Recorder<Int>())
    let double = DerivedAtom { a.value * 2 }
    let sum = DerivedAtom { [store] () -> Int in
      let first = double.value
      if runs.next() == 1 {
        Evaluation.setAside {
          store.set(a, 5)
          others.add(store.get(double))
        }
      }
      return first + double.value
    }
    #expect(store.get(sum) == 4)
    #expect(others.all == [10])
    #expect(store.get(sum) == 20 && store.get(double) == 10)
  }

  /// While a derivation runs, its dependency changes and changes back, and another thread reads in between.
  @Test func a3_aValueIsNotValidWhileItsDependencyWasDifferent() {
    let (a, runs, between) = (Atom(1), Tally(), Recorder<Evaluation>())
    let tenfold = DerivedAtom { a.value * 10 }
    let copy = DerivedAtom { [store] () -> Int in
      let value = tenfold.value
      if runs.next() == 1 {
        Evaluation.setAside {
          store.set(a, 2)
          between.add(Evaluation(store.core, store.core.state.withLock { store.core.begin(&$0) }))
          store.set(a, 1)
          #expect(store.get(tenfold) == 10)
        }
      }
      return value
    }
    #expect(store.get(copy) == 10)
    let evaluation = between.all[0]
    #expect(evaluation.run { [a.value, copy.value] } == [2, 20])
    store.core.end(evaluation)
    #expect(store.get(copy) == 10 && store.diagnostics.kept == 0)
  }

  // MARK: Values

  private struct Twice<Part: Equatable & Sendable>: Equatable, Sendable {
    let one: Part
    let other: Part

    init(_ part: Part) { (one, other) = (part, part) }
  }

  private func expectKept<Value: Equatable & Sendable & SendableMetatype>(_ old: Value, _ new: Value) {
    let atom = Atom(old)
    let derived = DerivedAtom { [atom.value] }
    store.callAsCurrent {
      #expect(atom.value == old && derived.value == [old])
      atom.value = new
      #expect(atom.value == new && derived.value == [new])
    }
    #expect(store.get(atom) == new && store.get(derived) == [new])
  }

  @Test func a2_valuesHaveAnySize() {
    expectKept(1 as UInt8, 2)
    expectKept("one", "two")
    expectKept([1], [2, 3])
    expectKept(nil as Int?, 3)
    expectKept(nil as Int??, .some(nil))
    expectKept(Twice(Twice(Twice("one"))), Twice(Twice(Twice("two"))))
    // These have more than 128 bytes.
    expectKept(Twice(Twice(Twice(Twice("one")))), Twice(Twice(Twice(Twice("two")))))
  }

  // MARK: One revision

  @Test func a3_aDerivationSeesOneRevision() {
    let (a, b, runs) = (Atom(1), Atom(10), Tally())
    let sum = DerivedAtom { [store] () -> Int in
      let first = a.value
      if runs.next() == 1 {
        Evaluation.setAside {
          store.set(b, 20)
          store.set(a, 2)
        }
      }
      return first + b.value
    }
    #expect(store.get(sum) == 11)
    #expect(store.get(sum) == 22)
    #expect(runs.value == 2 && store.diagnostics.kept == 0)
  }

  @Test func a3_aSnapshotSeesOneRevision() {
    let (a, b) = (Atom(1), Atom(2))
    let sum = DerivedAtom { a.value + b.value }
    let seen = store.snapshot { () -> [Int] in
      let first = a.value
      Evaluation.setAside {
        store.set(a, 10)
        store.set(b, 20)
      }
      return [first, a.value, b.value, sum.value, store.get(sum)]
    }
    #expect(seen == [1, 1, 2, 3, 3])
    #expect(store.snapshot { [a.value, sum.value] } == [10, 30])
  }

  @Test func a3_aSnapshotKeepsOneFormerValueOfEachSource() {
    let (a, b) = (Atom(1), Atom(2))
    store.snapshot {
      #expect(a.value == 1 && b.value == 2)
      Evaluation.setAside {
        for value in 10..<20 { store.set(a, value) }
        store.set(b, 20)
      }
      #expect(a.value == 1 && b.value == 2)
      #expect(store.diagnostics.kept == 2)
    }
    #expect(store.diagnostics.kept == 0 && !store.diagnostics.isPinned)
    #expect(store.get(a) == 19 && store.get(b) == 20)
  }

  // MARK: User code

  /// A value that reads its store when it is compared or released, which never ends under the store's lock.
  private final class Nosy: Equatable, Sendable {
    let number: Int
    private let store: AtomStore
    private let probe: Atom<Int>
    private let looks: Tally

    init(_ number: Int, _ store: AtomStore, _ probe: Atom<Int>, _ looks: Tally) {
      self.number = number
      self.store = store
      self.probe = probe
      self.looks = looks
    }

    deinit { look() }

    static func == (one: Nosy, other: Nosy) -> Bool {
      one.look()
      return one.number == other.number
    }

    private func look() {
      _ = store.get(probe)
      looks.add()
    }
  }

  @Test func a5_valuesAreComparedAndReleasedWithoutALock() {
    let (probe, atom, looks) = (Atom(0), Atom<Nosy?>(nil), Tally())
    let copy = DerivedAtom { atom.value }
    func nosy(_ number: Int) -> Nosy { Nosy(number, store, probe, looks) }
    let observation = store.observe(copy) { _ in }
    store.enableAtomLogging { _ in }
    for number in [1, 1, 2] { store.set(atom, nosy(number)) }
    store.transaction {
      atom.value = nosy(3)
      atom.value = nosy(2)
      _ = copy.value
    }
    store.snapshot {
      _ = copy.value
      Evaluation.setAside { for number in [4, 5, 5] { store.set(atom, nosy(number)) } }
      _ = atom.value
    }
    #expect(looks.value > 5)
    do {
      let temporary = Atom<Nosy?>(nosy(6))
      #expect(store.get(temporary)?.number == 6)
      withExtendedLifetime(temporary) { looks.reset() }
    }
    #expect(looks.value == 1)
    // The values hold the store.
    observation.cancel()
    store.disableAtomLogging()
    store.set(atom, nil)
    #expect(store.get(copy) == nil)
  }
}
