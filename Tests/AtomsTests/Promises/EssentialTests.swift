import Synchronization
import Testing

@testable import Atoms

/// The promises in small examples, one for each group of calls.
@Suite struct EssentialTests {
  private let store = AtomStore()

  @Test func a6_derivationsAreLazyAndRunOncePerChange() {
    let (a, runs) = (Atom(1), Recorder<Int>())
    let double = DerivedAtom { () -> Int in
      runs.add(a.value)
      return a.value * 2
    }
    store.set(a, 5)
    #expect(runs.all == [])
    #expect(store.get(double) == 10 && store.get(double) == 10)
    #expect(runs.all == [5])
  }

  @Test func a9_equalResultsStopPropagation() {
    let (a, runs) = (Atom(1), Recorder<Int>())
    let tenth = DerivedAtom { a.value / 10 }
    let text = DerivedAtom { () -> String in
      runs.add(tenth.value)
      return "\(tenth.value)"
    }
    #expect(store.get(text) == "0")
    store.set(a, 2)
    #expect(store.get(text) == "0")
    store.set(a, 20)
    #expect(store.get(text) == "2" && runs.all == [0, 2])
  }

  @Test func a10_aSetInADerivationIsReportedAndHasNoEffect() {
    let problems = Recorder<AtomProblem>()
    store.onProblem = { problems.add($0) }
    let target = Atom(0).debugLabel("target")
    let wrong = DerivedAtom { () -> Int in
      target.value = 5
      return target.value
    }.debugLabel("wrong")
    #expect(store.get(wrong) == 0)
    store.snapshot { target.value = 6 }
    #expect(store.get(target) == 0)
    #expect(problems.all == [.setInDerivation("target", in: "wrong"), .setInDerivation("target", in: "a snapshot")])
  }

  @Test func a11_aCycleTrapsAndNamesItsPath() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let isClosed = Atom(false)
      let last = Mutex<DerivedAtom<Int>?>(nil)
      let first = DerivedAtom { isClosed.value ? last.withLock { $0 }!.value : 0 }.debugLabel("first")
      let second = DerivedAtom { first.value + 1 }.debugLabel("second")
      let third = DerivedAtom { second.value + 1 }.debugLabel("third")
      last.withLock { $0 = third }
      precondition(third.value == 2)
      isClosed.value = true
      _ = third.value
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("first -> third -> second -> first"), "\(message)")
  }

  @Test func a12_aPathThatIsTooDeepTrapsAndNamesIt() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var last = DerivedAtom { 0 }.debugLabel("base")
      for index in 0..<200_000 {
        let before = last
        last = DerivedAtom { before.value + 1 }
        if index == 199_999 { last = last.debugLabel("top") }
      }
      _ = last.value
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("too deep for the stack") && message.contains("top -> "), "\(message)")
  }

  #if DEBUG
    private static let many = 100_000
  #else
    private static let many = 1_000_000
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

  @Test func a13_aTransactionThatThrowsSetsNothing() {
    let (a, b) = (Atom(1), Atom(2))
    #expect(throws: Stop.self) {
      try store.transaction {
        a.value = 10
        b.value = 20
        throw Stop()
      }
    }
    #expect(store.get(a) == 1 && store.get(b) == 2)
  }

  @Test func a14_a15_aTransactionSeesItsSetsAndRunsAgainAfterAConflict() {
    let (a, b, runs) = (Atom(1), Atom(2), Recorder<Int>())
    let sum = DerivedAtom { a.value + b.value }
    let seen = store.transaction {
      runs.add(a.value)
      if runs.all.count == 1 { Evaluation.setAside { store.set(a, 100) } }
      b.value = a.value + 1
      return sum.value
    }
    #expect(runs.all == [1, 100] && seen == 201)
    #expect(store.get(sum) == 201 && store.diagnostics.repeats == 1)
  }

  @Test func a16_valuesThatEndWhereTheyBeganAreNotSet() {
    let (a, seen) = (Atom(1), Recorder<Int>())
    let observation = store.observe(a) { seen.add($0) }
    store.transaction {
      a.value = 2
      a.value = 1
    }
    store.update(a) { $0 += 1 }
    #expect(seen.all == [1, 2])
    observation.cancel()
    store.set(a, 3)
    #expect(seen.all == [1, 2])
  }

  @Test func a17_aStreamHasEachValueAndEndsWithTheStore() async {
    let a = Atom(1)
    let double = DerivedAtom { a.value * 2 }
    var store: AtomStore? = AtomStore()
    let (sources, derived) = (store!.values(of: a), store!.values(of: double))
    for value in [2, 2, 3] { store!.set(a, value) }
    store = nil
    #expect(await sources.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    #expect(await derived.reduce(into: []) { $0.append($1) } == [2, 4, 6])
  }

  @Test func a19_aSetInACallbackIsDeliveredAfterTheCurrentDelivery() {
    let (a, seen, sources) = (Atom(0), Recorder<Int>(), Recorder<Int>())
    let double = DerivedAtom { a.value * 2 }
    let first = store.observe(a) { [store] value in
      sources.add(value)
      if value > 0, value < 5 { store.set(a, value + 1) }
    }
    let second = store.observe(double) { seen.add($0) }
    store.set(a, 1)
    #expect(store.get(a) == 5)
    #expect(sources.all == [0, 1, 2, 3, 4, 5] && seen.all == [0, 2, 4, 6, 8, 10])
    withExtendedLifetime((first, second)) {}
  }

  @Test func a19_endlessCallbacksAreReported() {
    let (a, problems) = (Atom(0).debugLabel("a"), Recorder<AtomProblem>())
    store.onProblem = { problems.add($0) }
    let observation = store.observe(a) { [store] value in if value < 1_500 { store.set(a, value + 1) } }
    #expect(problems.all == [.endlessDelivery(["a"])] && store.get(a) == 1_500)
    observation.cancel()
  }

  @Test func a20_onUpdateStartsWithTheValueAtFirstUse() {
    let seen = Recorder<Int>()
    let a = Atom(1).onUpdate(skip: 1) { seen.add($0) }
    store.set(a, 2)
    #expect(seen.all == [2])
    let other = AtomStore()
    #expect(other.get(a) == 1)
    other.set(a, 3)
    #expect(seen.all == [2, 3])
  }

  @Test func a21_aSetterRunsAgainWhenWhatItReadChanges() {
    let (list, selected) = (Atom(["a", "b"]), Atom(""))
    let index = GetSetAtom {
      list.value.firstIndex(of: selected.value) ?? -1
    } set: { new in
      selected.value = list.value[new]
    }
    store.set(index, 1)
    #expect(store.get(selected) == "b" && store.get(index) == 1)
    let seen = Recorder<String>()
    let observation = store.observe(selected) { seen.add($0) }
    store.set(list, ["x", "y"])
    #expect(store.get(selected) == "y" && store.get(index) == 1 && seen.all == ["b", "y"])
    store.reset(index)
    store.set(list, ["p", "q"])
    #expect(store.get(selected) == "y" && store.get(index) == -1)
    observation.cancel()
  }

  @Test func a22_aTransformationRunsAgainWhenWhatItReadChanges() {
    let limit = Atom(100)
    let percent = WillSetAtom(-1) { min(max($0, 0), limit.value) }
    let seen = Recorder<Int>()
    let observation = store.observe(percent) { seen.add($0) }
    store.set(percent, 300)
    store.set(percent, 200)
    store.set(limit, 150)
    store.reset(percent)
    #expect(seen.all == [-1, 100, 150, -1])
    observation.cancel()
  }

  @Test func a23_resetRunsItsClosuresAndResetAllIsOneTransaction() {
    let a = Atom(1).onReset { $0 += 10 }
    let b = Atom(2)
    let sum = DerivedAtom { a.value + b.value }
    let seen = Recorder<Int>()
    let observation = store.observe(sum) { seen.add($0) }
    store.set(b, 5)
    store.reset(a)
    #expect(store.get(a) == 11)
    store.set(a, 1)
    store.resetAll()
    #expect(seen.all == [3, 6, 16, 6, 13])
    observation.cancel()
  }

  @Test func a34_theCurrentStoreIsInherited() async {
    let a = Atom(0)
    await store.callAsCurrent { () async -> Void in
      a.value = 1
      await Task { #expect(a.value == 1) }.value
      async let child = a.value
      #expect(await child == 1)
    }
    #expect(store.get(a) == 1 && AtomStore().get(a) == 0)
  }

  @Test func a36_theLogAndTheGraphNameTheAtoms() {
    let a = Atom(1).debugLabel("a")
    let b = Atom(0).debugLabel("b")
    let sum = DerivedAtom { a.value + b.value }.debugLabel("sum")
    let log = Recorder<String>()
    store.enableAtomLogging(debugScope: .exclude([b])) { log.add($0.description) }
    #expect(store.get(sum) == 1)
    store.set(a, 2)
    store.set(b, 7)
    #expect(store.get(sum) == 9)
    #expect(log.all == ["#0 sum: 1", "#1 a: 1 -> 2", "#2 sum: 1 -> 9"])
    let graph = store.graph
    #expect(graph.atoms.map(\.label).sorted() == ["a", "b", "sum"])
    #expect(graph.atoms.first { $0.label == "sum" }?.dependencies.count == 2)
    #expect(graph.dot.contains("[label=\"sum\\n9\" shape=ellipse]"))
  }
}
