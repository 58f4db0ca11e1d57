import TestSize
import Testing

@testable import Atoms

/// A value lives while its atom is in use (A30, A31, A32).
@Suite struct UseTests {
  private let store = AtomStore()
  private let runs = Tally()
  private let source = Atom(1)

  private final class Token: Equatable, Sendable {
    static func == (one: Token, other: Token) -> Bool { one === other }
  }

  /// A value with wrappers.
  private struct Screen: Sendable {
    @UseAtom var number: Int

    init(_ atom: some WritableAtom<Int>) { _number = UseAtom(atom) }
  }

  private struct Label: Sendable {
    @UseAtomValue var number: Int

    init(_ atom: some ReadableAtom<Int>) { _number = UseAtomValue(atom) }
  }

  private func makeDouble() -> DerivedAtom<Int> {
    DerivedAtom { [source, runs] in
      runs.add()
      return source.value * 2
    }
  }

  // MARK: What is in use

  @Test func a30_aValueIsReleasedWithTheLastWrapper() {
    store.callAsCurrent {
      var screen: Screen? = Screen(source)
      var copy = screen
      let other = Screen(source)
      screen?.number = 5
      screen = nil
      #expect(copy?.number == 5)
      copy = nil
      #expect(other.number == 5 && source.value == 5)
      withExtendedLifetime(other) {}
    }
    #expect(store.get(source) == 1)
  }

  @Test func a30_aValueThatWasSetAndNeverUsedStays() {
    store.set(source, 5)
    let double = makeDouble()
    #expect(store.get(double) == 10)
    #expect(store.get(source) == 5 && store.get(double) == 10 && runs.value == 1)
    // A later use counts.
    store.callAsCurrent { #expect(Label(source).number == 5) }
    #expect(store.get(source) == 1 && store.get(double) == 2)
  }

  @Test func a30_aDependentInUseUsesWhatItReads() {
    let (double, other) = (makeDouble(), Atom(10))
    let sum = DerivedAtom { double.value + other.value }
    store.callAsCurrent {
      let label = Label(sum)
      store.set(source, 5)
      // It has not read anything yet.
      Screen(source).number = 6
      #expect(label.number == 12)
      Screen(source).number = 7
      store.set(other, 20)
      #expect(label.number == 34 && source.value == 7 && runs.value == 2)
      withExtendedLifetime(label) {}
    }
    #expect(store.get(source) == 1 && store.get(other) == 10)
    #expect(store.get(sum) == 12 && runs.value == 3)
  }

  @Test func a30_anAtomIsNoLongerUsedAfterTheLastRunThatReadsIt() {
    let (isOn, left, right) = (Atom(true), Atom(1), Atom(2))
    let chosen = DerivedAtom { isOn.value ? left.value : right.value }
    store.callAsCurrent {
      let label = Label(chosen)
      store.set(left, 10)
      store.set(right, 20)
      #expect(label.number == 10)
      store.set(isOn, false)
      #expect(label.number == 20)
      #expect(store.get(left) == 1 && store.get(right) == 20)
      withExtendedLifetime(label) {}
    }
    #expect(store.get(right) == 2 && store.get(isOn))
  }

  @Test func a30_watchersAndStreamsUseAnAtom() async {
    let double = makeDouble()
    store.set(source, 2)
    var observation: AtomObservation? = store.observe(double) { _ in }
    let other = store.observe(double) { _ in }
    observation = nil
    #expect(store.get(source) == 2)
    other.cancel()
    #expect(store.get(source) == 1)
    store.set(source, 3)
    do {
      var values = store.values(of: source).makeAsyncIterator()
      #expect(await values.next() == 3)
    }
    #expect(store.get(source) == 1)
    withExtendedLifetime(observation) {}
  }

  @Test func a30_anAtomWithAClosureForUpdatesStaysInUse() {
    let (atom, seen) = (Atom(0), Recorder<Int>())
    atom.onUpdate { seen.add($0) }
    store.callAsCurrent { Screen(atom).number = 5 }
    #expect(store.get(atom) == 5 && seen.all == [0, 5])
  }

  @Test func a30_keepAliveKeepsValues() {
    let (kept, derived) = (Atom(1, keepAlive: true), DerivedAtom(keepAlive: true) { [source] in source.value })
    let limited = WillSetAtom(1, keepAlive: true) { min($0, 10) }
    let shifted = GetSetAtom(keepAlive: true) {
      kept.value + 1
    } set: {
      kept.value = $0 - 1
    }
    store.callAsCurrent {
      Screen(kept).number = 5
      Screen(limited).number = 50
      #expect(Label(derived).number == 1)
      Screen(source).number = 6
      Screen(shifted).number = 8
    }
    #expect(store.get(kept) == 7 && store.get(derived) == 6 && store.get(limited) == 10 && store.get(shifted) == 8)
  }

  @Test func a30_theNextUseStartsWithTheDefault() {
    let limited = WillSetAtom(1) { min($0, 10) }
    let (factor, target) = (Atom(2), Atom(0, keepAlive: true))
    let scaled = GetSetAtom {
      target.value
    } set: {
      target.value = $0 * factor.value
    }
    store.callAsCurrent {
      Screen(limited).number = 50
      #expect(limited.value == 1)
      do {
        let screen = Screen(scaled)
        screen.number = 5
        store.set(factor, 3)
        #expect(screen.number == 15)
      }
      // The setter does not run again.
      store.set(factor, 4)
      #expect(store.get(target) == 15)
      store.inject(source, value: 10).inject(limited, value: 20)
      Screen(source).number = 11
      Screen(limited).number = 12
      #expect(source.value == 10 && limited.value == 20)
      store.removeInjection(of: source)
      store.removeInjection(of: limited)
      #expect(source.value == 1 && limited.value == 1)
    }
  }

  @Test func a30_anInjectionKeepsWhatItReplaces() {
    let limited = WillSetAtom(1) { min($0, 10) }
    store.callAsCurrent {
      let (screen, other) = (Screen(source), Screen(limited))
      screen.number = 5
      other.number = 6
      for _ in 0..<2 {
        store.inject(source, value: 100).inject(limited, value: 200)
        #expect(screen.number == 100 && other.number == 200)
        store.removeInjection(of: source)
        store.removeInjection(of: limited)
        #expect(screen.number == 5 && other.number == 6)
      }
      withExtendedLifetime((screen, other)) {}
    }
    #expect(store.get(source) == 1 && store.get(limited) == 1)
  }

  /// The new closure has not run yet when the injection takes effect.
  @Test(arguments: [false, true]) func a30_anInjectionReleasesNothingThatItReads(isWatched: Bool) {
    let (seen, unread) = (Recorder<Int>(), Atom(1))
    let double = makeDouble()
    store.callAsCurrent {
      let label = isWatched ? nil : Label(double)
      let observation = isWatched ? store.observe(double) { seen.add($0) } : nil
      #expect(store.get(double) == 2)
      store.set(source, 5)
      store.set(unread, 6)
      store.inject(double) { [source] in source.value + unread.value }
      #expect(store.get(double) == 11)
      store.inject(double) { [source] in source.value + 100 }
      #expect(store.get(double) == 105 && store.get(unread) == 1)
      store.removeInjection(of: double)
      #expect(store.get(double) == 10)
      store.inject(double, value: 0)
      #expect(store.get(double) == 0)
      #expect(store.get(source) == 1)
      withExtendedLifetime((label, observation)) {}
    }
    if isWatched { #expect(seen.all == [2, 10, 11, 105, 10, 0]) }
  }

  @Test func a30_aChainOfUsesEndsWithoutRecursion() {
    final class Link: Sendable {
      let use: UseAtom<Link?>

      init(_ atom: Atom<Link?>) { use = UseAtom(atom) }
    }
    let first = Atom<Link?>(nil)
    let length = TestSize.length(100_000, short: 20_000)
    store.callAsCurrent {
      let use = UseAtom(first)
      do {
        var last = first
        for _ in 0..<length {
          let next = Atom<Link?>(nil)
          last.value = Link(next)
          last = next
        }
      }
      #expect(store.diagnostics.atoms == length + 1)
      withExtendedLifetime(use) {}
    }
    #expect(store.diagnostics.atoms == 1 && store.get(first) == nil)
  }

  // MARK: The release

  @Test func a31_aReleaseReleasesObjects() {
    weak var (first, second) = (Token?.none, Token?.none)
    let object = Atom(Token?.none)
    let derived = DerivedAtom { () -> Token in
      withExtendedLifetime(object.value) { Token() }
    }
    store.callAsCurrent {
      let use = UseAtomValue(derived)
      do {
        let new = Token()
        first = new
        store.set(object, new)
      }
      second = use.wrappedValue
      #expect(first != nil && second != nil)
      withExtendedLifetime(use) {}
    }
    #expect(first == nil && second == nil)
  }

  @Test func a31_aReleaseNotifiesNobodyAndIsNotLogged() {
    let (double, seen, entries) = (makeDouble(), Recorder<Int>(), Recorder<String>())
    #expect(store.get(double) == 2)
    store.callAsCurrent {
      let screen = Screen(source)
      screen.number = 5
      #expect(double.value == 10)
      store.enableAtomLogging { entries.add("\($0.new)") }
      withExtendedLifetime(screen) {}
    }
    #expect(entries.all == [])
    // Values that were computed from the atom are checked.
    #expect(store.get(double) == 2 && runs.value == 3)
    let observation = store.observe(double) { seen.add($0) }
    #expect(seen.all == [2])
    observation.cancel()
  }

  @Test func a31_aReleaseOfAnUnchangedAtomCreatesNoRevision() {
    let double = makeDouble()
    store.callAsCurrent { #expect(Label(double).number == 2) }
    let revision = store.graph.revision
    store.callAsCurrent { #expect(Label(double).number == 2 && Screen(source).number == 1) }
    #expect(store.graph.revision == revision)
  }

  @Test func a31_laterChangesReachWhatWasComputedFromAReleasedAtom() {
    let double = makeDouble()
    let (next, kept) = (DerivedAtom { double.value + 1 }, Atom(0, keepAlive: true))
    store.callAsCurrent {
      let label = Label(double)
      #expect(label.number == 2 && next.value == 3)
      withExtendedLifetime((label, kept)) {}
    }
    store.set(source, 4)
    #expect(store.get(next) == 9)
  }

  @Test func a31_aSnapshotSeesTheValuesBeforeARelease() {
    let double = makeDouble()
    store.callAsCurrent {
      var screen: Screen? = Screen(source)
      screen?.number = 5
      #expect(Label(double).number == 10)
      store.snapshot {
        Evaluation.setAside {
          screen = nil
          #expect(store.get(source) == 1 && store.get(double) == 2)
        }
        #expect(source.value == 5 && double.value == 10)
      }
      #expect(source.value == 1 && store.diagnostics.kept == 0)
    }
  }

  /// Another thread ends the last use while a run may compare its result with the value.
  @Test func a31_aReleaseDuringARunLeavesTheRunItsValue() {
    let uses = Recorder<Label>()
    let slow = DerivedAtom { [source, runs] () -> Int in
      if runs.next() == 2 { Evaluation.setAside { uses.reset() } }
      return source.value / 10
    }
    let next = DerivedAtom { slow.value + 1 }
    store.callAsCurrent { uses.add(Label(slow)) }
    #expect(store.get(next) == 1)
    store.set(source, 2)
    #expect(store.get(next) == 1)
    store.set(source, 20)
    #expect(store.get(next) == 3)
  }

  // MARK: Evaluations

  @Test func a30_wrappersInEvaluationsAreNoUses() {
    let copy = DerivedAtom { [source] () -> Int in
      @UseAtomValue(source) var value
      return value
    }
    let setter = GetSetAtom { [source] in
      source.value
    } set: { [source] in
      @UseAtom(source) var value
      value = $0
    }
    store.set(source, 5)
    #expect(store.get(copy) == 5)
    store.set(setter, 6)
    #expect(store.get(source) == 6)
    store.transaction { Screen(source).number = 7 }
    store.snapshot { #expect(Label(source).number == 7) }
    #expect(store.get(copy) == 7)
  }

  @Test func a15_aUseThatEndsInATransactionDoesNotRepeatIt() throws {
    let (double, tries) = (makeDouble(), Tally())
    store.set(source, 5)
    #expect(store.get(double) == 10)
    try store.transaction {
      if tries.next() > 3 { throw Stop() }
      store.observe(double) { _ in }.cancel()
      source.value += double.value
    }
    #expect(tries.value == 1)
    // The watcher was the last use.
    #expect(store.get(source) == 1)
  }

  /// The end of a use on another thread releases nothing that a transaction has used.
  @Test func a15_usesThatEndOnOtherThreadsRepeatNoTransaction() throws {
    let (tries, held, other) = (Tally(), Recorder<Screen>(), Recorder<Screen>())
    try store.callAsCurrent {
      held.add(Screen(source))
      source.value = 5
      let value = try store.transaction { () -> Int in
        if tries.next() > 3 { throw Stop() }
        held.reset()
        other.add(Evaluation.setAside { Screen(Atom(0)) })
        Evaluation.setAside { other.reset() }
        return source.value
      }
      #expect(value == 5 && tries.value == 1)
    }
    #expect(store.get(source) == 1)
  }

  /// The use ends in an evaluation inside another one, which a callback hides.
  @Test func a15_aUseThatEndsInACallbackRepeatsNoTransaction() throws {
    let (tries, held, other) = (Tally(), Recorder<Screen>(), Recorder<Screen>())
    store.onProblem = { [store] _ in store.snapshot { held.reset() } }
    try store.callAsCurrent {
      held.add(Screen(source))
      source.value = 5
      try store.transaction {
        if tries.next() > 3 { throw Stop() }
        store.snapshot { source.value = 6 }
        other.add(Evaluation.setAside { Screen(Atom(0)) })
        Evaluation.setAside { other.reset() }
        #expect(source.value == 5)
      }
      #expect(tries.value == 1 && held.all.isEmpty)
    }
    #expect(store.get(source) == 1)
  }

  /// The callback of another store's atom runs inside the transaction.
  @Test func a15_aUseInACallbackOfAnotherStoreDoesNotRepeatATransaction() throws {
    let (double, other, number, tries) = (makeDouble(), AtomStore(), Atom(0), Tally())
    let observation = other.observe(number, skip: 1) { [store] _ in store.observe(double) { _ in }.cancel() }
    #expect(store.get(double) == 2)
    try store.transaction {
      if tries.next() > 3 { throw Stop() }
      source.value = double.value
      other.update(number) { $0 += 1 }
    }
    #expect(tries.value == 1 && other.get(number) == 1)
    withExtendedLifetime(observation) {}
  }

  // MARK: Stores

  @Test func a32_aWrapperCountsInItsStoreWhereverItDies() {
    let (other, box) = (AtomStore(), Recorder<Screen>())
    for one in [store, other] { one.set(source, 5) }
    store.callAsCurrent { box.add(Screen(source)) }
    other.callAsCurrent { box.reset() }
    #expect(store.get(source) == 1 && other.get(source) == 5)
    store.callAsCurrent { box.add(Screen(source)) }
    store.set(source, 6)
    onAnotherThread { other.snapshot { box.reset() } }
    #expect(store.get(source) == 1 && other.get(source) == 5 && AtomStore.shared.get(source) == 1)
  }

  @Test func a32_aWrapperKeepsItsStore() {
    let screen = AtomStore().callAsCurrent { Screen(source) }
    screen.number = 5
    #expect(screen.number == 5)
  }

  @Test func a12_aLongChainComesIntoUseAndOutOfItWithoutRecursion() {
    var atoms = [DerivedAtom { [source] in source.value }]
    let length = TestSize.length(50_000, short: 10_000)
    for _ in 0..<length {
      let last = atoms[atoms.count - 1]
      atoms.append(DerivedAtom { last.value + 1 })
      #expect(store.get(atoms[atoms.count - 1]) == atoms.count)
    }
    let last = atoms[atoms.count - 1]
    store.set(source, 2)
    store.callAsCurrent { #expect(Label(last).number == length + 2) }
    #expect(store.get(source) == 1 && store.diagnostics.atoms == length + 2)
    while atoms.popLast() != nil {}
  }
}
