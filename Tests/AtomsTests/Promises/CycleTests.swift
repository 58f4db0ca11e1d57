import TestSize
import Testing

@testable import Atoms

/// A cycle traps and names its path (A11), and only first computations recurse (A12).
@Suite struct CycleTests {
  private let store = AtomStore()

  // MARK: Cycles

  @Test func a11_aCycleThatIsReadForTheFirstTime() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let known = Recorder<DerivedAtom<Int>>()
      let first = DerivedAtom { known.all[0].value + 1 }.debugLabel("first")
      let second = DerivedAtom { first.value + 1 }.debugLabel("second")
      let third = DerivedAtom { second.value + 1 }.debugLabel("third")
      known.add(third)
      let outer = DerivedAtom { third.value + 1 }.debugLabel("outer")
      _ = outer.value
    }
    let message = string(from: result?.standardErrorContent)
    #expect(
      message.contains("depend on each other in a cycle, so they have no value: third -> second -> first -> third."),
      "\(message)")
  }

  @Test func a11_anAtomThatReadsItself() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let known = Recorder<DerivedAtom<Int>>()
      known.add(DerivedAtom { known.all[0].value + 1 }.debugLabel("self"))
      _ = known.all[0].value
    }
    let message = string(from: result?.standardErrorContent)
    #expect(message.contains("so they have no value: self -> self."), "\(message)")
  }

  @Test func a11_aConditionClosesTheCycleLater() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (isClosed, known) = (Atom(false), Recorder<DerivedAtom<Int>>())
      let first = DerivedAtom { isClosed.value ? known.all[0].value : 0 }.debugLabel("first")
      let second = DerivedAtom { first.value + 1 }.debugLabel("second")
      let third = DerivedAtom { second.value + 1 }.debugLabel("third")
      known.add(third)
      precondition(third.value == 2)
      isClosed.value = true
      _ = third.value
    }
    let message = string(from: result?.standardErrorContent)
    #expect(message.contains("so they have no value: first -> third -> second -> first."), "\(message)")
  }

  @Test func a11_aTransactionClosesTheCycle() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (isClosed, known) = (Atom(false), Recorder<DerivedAtom<Int>>())
      let first = DerivedAtom { isClosed.value ? known.all[0].value : 0 }.debugLabel("first")
      let second = DerivedAtom { first.value + 1 }.debugLabel("second")
      known.add(second)
      precondition(second.value == 1)
      AtomStore.shared.transaction {
        isClosed.value = true
        _ = second.value
      }
    }
    let message = string(from: result?.standardErrorContent)
    #expect(message.contains("so they have no value: first -> second -> first."), "\(message)")
  }

  /// The read by another thread is no cycle, because it sees another revision.
  @Test func a11_aReadByAnotherThreadIsNoCycle() {
    let (a, runs, others) = (Atom(1), Tally(), Recorder<Int>())
    let known = Recorder<DerivedAtom<Int>>()
    let inner = DerivedAtom { [store] () -> Int in
      if runs.next() == 1 {
        Evaluation.setAside {
          store.set(a, 2)
          for atom in known.all { others.add(store.get(atom)) }
        }
      }
      return a.value
    }
    let outer = DerivedAtom { inner.value * 10 }
    known.add(outer)
    #expect(store.get(outer) == 10 && others.all == [20])
    #expect(store.get(outer) == 20)
    // The closure holds an atom that holds it.
    known.reset()
  }

  @Test func a11_aCycleThroughAnotherStore() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (one, other, known) = (AtomStore(), AtomStore(), Recorder<DerivedAtom<Int>>())
      let first = DerivedAtom { one.get(known.all[0]) + 1 }.debugLabel("first")
      let second = DerivedAtom { other.get(first) + 1 }.debugLabel("second")
      known.add(second)
      _ = one.get(second)
    }
    let message = string(from: result?.standardErrorContent)
    #expect(
      message.contains("so they have no value: second -> first -> second.")
        || message.contains("so they have no value: first -> second -> first."), "\(message)")
  }

  // MARK: Depth

  /// A chain in which each node first reads a source that changes, so that its closure must run.
  private func makeRunningTotal(_ length: Int, of source: Atom<Int>, in store: AtomStore) -> DerivedAtom<Int> {
    var last = DerivedAtom { source.value }
    for _ in 1..<length {
      let before = last
      last = DerivedAtom { source.value + before.value }
      _ = store.get(last)
    }
    return last
  }

  @Test func a12_aRunningTotalIsComputedAgainWithoutOverflow() {
    let source = Atom(1)
    let length = TestSize.length(20_000, short: 4_000)
    let total = makeRunningTotal(length, of: source, in: store)
    store.set(source, 2)
    #expect(store.get(total) == 2 * length)
    let seen = store.snapshot { () -> [Int] in
      let before = source.value
      Evaluation.setAside { store.set(source, 3) }
      return [before, total.value]
    }
    #expect(seen == [2, 2 * length])
    let inside = store.transaction { () -> [Int] in
      [4, 5].map { value in
        source.value = value
        return total.value
      }
    }
    #expect(inside == [4 * length, 5 * length] && store.get(total) == 5 * length)
  }

  /// On a deep stack, the store computes the values that closures have read before, although they may not read them
  /// again.
  @Test func a12_aDeepStackReportsNoCycleThatIsNone() {
    let (source, isOther, known) = (Atom(1), Atom(false), Recorder<DerivedAtom<Int>>())
    // `first` reads `second`, or the other way around.
    let first = DerivedAtom { isOther.value ? 1 : known.all[0].value + 1 }
    let second = DerivedAtom { isOther.value ? first.value + 1 : 1 }
    known.add(second)
    var last = DerivedAtom { source.value + first.value + second.value }
    let length = TestSize.length(20_000, short: 4_000)
    for _ in 0..<length {
      let before = last
      last = DerivedAtom { source.value + before.value }
      _ = store.get(last)
    }
    store.transaction {
      source.value = 2
      isOther.value = true
    }
    #expect(store.get(last) == 2 * length + 5)
    known.reset()
  }

  @Test func a12_aSmallStackIsEnough() {
    let source = Atom(1)
    let total = makeRunningTotal(5_000, of: source, in: store)
    inThreads(1, stackSize: 512 << 10) { [store] _ in
      store.set(source, 2)
      #expect(store.get(total) == 10_000)
    }
  }

  #if !DEBUG
    /// 128 KB of the stack is reserved, so 384 KB remains for 256 nested derivations.
    @Test func a12_aLevelTakesAtMostOneAndAHalfKilobytes() {
      // A derivation takes more stack if its objects are followed, as they are once a test has made an atom of one.
      ObjectFollower.need()
      var last = DerivedAtom { 1 }
      for _ in 1..<256 {
        let before = last
        last = DerivedAtom { before.value + 1 }
      }
      inThreads(1, stackSize: 512 << 10) { [store, last] _ in #expect(store.get(last) == 256) }
    }
  #endif

  /// A chain that is computed from its base, so that no computation is inside another.
  private func makeChain(_ length: Int, over head: Atom<Int>, in store: AtomStore) -> DerivedAtom<Int> {
    var last = DerivedAtom { head.value }
    for _ in 0..<length {
      let before = last
      last = DerivedAtom { before.value + 1 }
      _ = store.get(last)
    }
    return last
  }

  #if DEBUG
    private static let many = TestSize.length(100_000, short: 20_000)
  #else
    private static let many = TestSize.length(1_000_000, short: 20_000)
  #endif

  @Test func a12_aMillionNodesAreComputedAndReleasedWithoutRecursion() {
    let head = Atom(0)
    var last = DerivedAtom { head.value }
    for _ in 0..<Self.many {
      let before = last
      last = DerivedAtom { before.value + 1 }
      _ = store.get(last)
    }
    store.set(head, 1)
    #expect(store.get(last) == Self.many + 1)
    last = DerivedAtom { 0 }
    #expect(store.diagnostics.atoms == 1)
  }

  @Test func a12_aLongChainOutlivesItsStore() {
    var first: AtomStore? = AtomStore()
    let head = Atom(0)
    let last = first.map { makeChain(TestSize.length(100_000, short: 20_000), over: head, in: $0) }
    first = nil
    #expect(last != nil && store.get(head) == 0)
  }

  @Test func a12_aLongChainIsWatchedAndReadInATransaction() {
    let (head, seen) = (Atom(0), Recorder<Int>())
    let length = TestSize.length(20_000, short: 5_000)
    let last = makeChain(length, over: head, in: store)
    let observation = store.observe(last) { seen.add($0) }
    store.set(head, 1)
    let inside = store.transaction { () -> Int in
      head.value = 2
      return last.value
    }
    #expect(inside == length + 2 && seen.all == [length, length + 1, length + 2])
    observation.cancel()
  }

  @Test func a12_aFirstComputationThatIsTooDeepTrapsAndNamesItsPath() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var last = DerivedAtom { 0 }.debugLabel("0")
      for index in 1..<200_000 {
        let before = last
        last = DerivedAtom { before.value + 1 }.debugLabel("\(index)")
      }
      _ = last.value
    }
    let message = string(from: result?.standardErrorContent)
    #expect(message.contains("Atoms: the first computation of 199999 needs "), "\(message)")
    #expect(message.contains("too deep for the stack of this thread"), "\(message)")
    #expect(message.contains(": 199999 -> 199998 -> 199997 -> 199996 -> 199995 -> 199994 -> … "), "\(message)")
  }

  /// A reader sees a chain at its own revision, while another one has already brought it up to date.
  @Test func a12_aLongChainIsReadAtAFormerRevision() {
    let head = Atom(0)
    let length = TestSize.length(100_000, short: 20_000)
    let last = makeChain(length, over: head, in: store)
    let seen = store.snapshot { () -> [Int] in
      let before = head.value
      Evaluation.setAside {
        store.set(head, 1)
        #expect(store.get(last) == length + 1)
      }
      return [before, last.value]
    }
    #expect(seen == [0, length] && store.get(last) == length + 1)
  }
}
