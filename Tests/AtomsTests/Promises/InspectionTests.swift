import Testing

@testable import Atoms

/// Labels, the log, the graph as a value, and the counts (A36).
@Suite struct InspectionTests {
  private let store = AtomStore()
  private let log = Recorder<String>()
  private let a = Atom(1).debugLabel("a")
  private let b = Atom(2).debugLabel("b")
  private let runs = Tally()
  private let sum: DerivedAtom<Int>

  init() {
    sum = DerivedAtom { [a, b, runs] () -> Int in
      runs.add()
      return a.value + b.value
    }.debugLabel("sum")
  }

  /// Uses each atom once, so that its number in the graph is known.
  private func useAll() { #expect([store.get(a), store.get(b), store.get(sum)] == [1, 2, 3]) }

  // MARK: Labels

  @Test func a36_aLabelIsTheFileAndTheLineUnlessItIsSet() {
    let (atom, line) = (Atom(0), #line)
    let derived = DerivedAtom { atom.value }
    #expect(store.get(derived) == 0)
    #expect(Set(store.graph.atoms.map(\.label)) == [label(line), label(line + 1)])
    _ = atom.debugLabel("atom")
    #expect(store.graph.dependencies(of: label(line + 1)) == ["atom"])
  }

  private func label(_ line: Int) -> String { "AtomsTests/InspectionTests.swift:\(line)" }

  // MARK: The log

  @Test func a36_theLogHasAnEntryForEachChangedAtomAndRevision() {
    store.enableAtomLogging { [log] in log.add($0.description) }
    #expect(store.get(sum) == 3)
    store.set(a, 5)
    store.set(a, 5)
    #expect(store.get(sum) == 7)
    store.set(a, 6)
    store.transaction {
      a.value = 7
      b.value = 1
      a.value = 6
    }
    #expect(store.get(sum) == 7)
    #expect(log.all == ["#0 sum: 3", "#1 a: 1 -> 5", "#1 sum: 3 -> 7", "#2 a: 5 -> 6", "#3 b: 2 -> 1"])
    store.disableAtomLogging()
    store.set(a, 8)
    #expect(log.all.count == 5)
  }

  @Test func a36_aTransactionIsLoggedWithOneRevision() {
    let changes = Recorder<AtomChange>()
    store.enableAtomLogging { changes.add($0) }
    store.transaction {
      a.value = 10
      b.value = 20
    }
    try? store.transaction {
      a.value = 100
      throw Stop()
    }
    #expect(changes.all.map(\.label) == ["a", "b"] && changes.all.map(\.revision) == [1, 1])
    #expect(changes.all.map { $0.old as? Int } == [1, 2] && changes.all.map { $0.new as? Int } == [10, 20])
  }

  @Test func a36_theLogHasOnlyTheIncludedAtoms() {
    store.enableAtomLogging(debugScope: .include([b, sum])) { [log] in log.add($0.description) }
    store.set(a, 5)
    store.set(b, 6)
    #expect(store.get(sum) == 11)
    #expect(log.all == ["#2 b: 2 -> 6", "#2 sum: 11"])
  }

  @Test func a36_theLogHasNoExcludedAtoms() {
    store.enableAtomLogging(debugScope: .exclude([b, sum])) { [log] in log.add($0.description) }
    store.set(a, 5)
    store.set(b, 6)
    #expect(store.get(sum) == 11)
    #expect(log.all == ["#1 a: 1 -> 5"])
  }

  @Test func a36_theSinkRunsWithoutALock() {
    store.enableAtomLogging { [store, log, b, sum] change in
      log.add(change.description)
      if change.label == "a" { store.set(b, change.new as? Int ?? 0) }
      _ = (store.get(sum), store.graph, store.diagnostics)
    }
    store.set(a, 5)
    #expect(store.get(b) == 5 && store.get(sum) == 10)
    #expect(log.all.first == "#1 a: 1 -> 5" && log.all.contains("#2 b: 2 -> 5"))
    #expect(log.all.last == "#2 sum: 10")
    // The sink holds the store.
    store.disableAtomLogging()
  }

  // MARK: The graph

  @Test func a36_theGraphHasTheAtomsAndTheirValues() {
    useAll()
    let observations = [store.observe(a) { _ in }, store.observe(a) { _ in }, store.observe(sum) { _ in }]
    let before = store.graph
    #expect(before.atoms.map(\.label) == ["a", "b", "sum"])
    #expect(before.atoms.map { $0.value as? Int } == [1, 2, 3])
    #expect(before.atoms.map(\.watchers) == [2, 0, 1])
    #expect(before.atoms.map(\.isDerived) == [false, false, true])
    #expect(before.dependencies(of: "sum") == ["a", "b"])
    store.set(a, 10)
    let after = store.graph
    #expect(after.revision == before.revision + 1)
    #expect(after.atoms.map { $0.value as? Int } == [10, 2, 12])
    #expect(zip(before.atoms, after.atoms).map { $0.version < $1.version } == [true, false, true])
    withExtendedLifetime(observations) {}
  }

  @Test func a36_takingTheGraphComputesNothing() {
    useAll()
    store.set(a, 10)
    #expect(store.graph.atoms.map(\.isStale) == [false, false, true])
    #expect((store.graph.node("sum")?.value as? Int) == 3 && runs.value == 1)
    #expect(store.get(sum) == 12)
    #expect(store.graph.atoms.map(\.isStale) == [false, false, false])
    #expect(runs.value == 2)
  }

  @Test func a36_theGraphIsTextForGraphviz() {
    useAll()
    let fresh = #"""
      digraph atoms {
        rankdir=LR
        0 [label="a\n1" shape=box]
        1 [label="b\n2" shape=box]
        2 [label="sum\n3" shape=ellipse]
        0 -> 2
        1 -> 2
      }
      """#
    #expect(store.graph.dot == fresh)
    store.set(a, 10)
    let stale = fresh.replacing("a\\n1", with: "a\\n10").replacing("ellipse", with: "ellipse style=dashed")
    #expect(store.graph.dot == stale)
  }

  @Test func a36_textInTheGraphIsQuoted() {
    let atom = Atom("one\n\"two\"").debugLabel(#"C:\path"#)
    #expect(store.get(atom) == "one\n\"two\"")
    #expect(store.graph.dot.contains(#"[label="C:\\path\none\n\"two\"" shape=box]"#))
  }

  // MARK: Counts

  @Test func a36_theCountsDescribeTheStore() {
    #expect(store.diagnostics == AtomStore().diagnostics && store.diagnostics.atoms == 0)
    useAll()
    #expect(store.diagnostics.atoms == 3 && !store.diagnostics.isPinned)
    store.snapshot {
      Evaluation.setAside { store.set(a, 10) }
      #expect(store.diagnostics.isPinned && store.diagnostics.kept == 1)
    }
    #expect(!store.diagnostics.isPinned && store.diagnostics.kept == 0 && store.diagnostics.repeats == 0)
    do {
      let temporary = DerivedAtom { [a] in a.value }
      #expect(store.get(temporary) == 10 && store.diagnostics.atoms == 4)
      withExtendedLifetime(temporary) {}
    }
    #expect(store.diagnostics.atoms == 3)
  }

  // MARK: Transforming atoms

  @Test func a36_aTransformingAtomIsOneAtom() {
    let limit = Atom(100).debugLabel("limit")
    let percent = WillSetAtom(0) { min($0, limit.value) }.debugLabel("percent")
    store.enableAtomLogging { [log] in log.add($0.description) }
    #expect(store.get(percent) == 0)
    store.set(percent, 300)
    store.set(percent, 200)
    store.transaction {
      limit.value = 150
      percent.value = 120
    }
    #expect(
      log.all == ["#0 percent: 0", "#1 percent: 0 -> 100", "#3 limit: 100 -> 150", "#3 percent: 100 -> 120"])
    #expect(store.graph.atoms.map(\.label).sorted() == ["limit", "percent"])
    #expect(store.graph.dependencies(of: "percent") == ["limit"] && store.graph.node("percent")?.isDerived == true)
    #expect(store.diagnostics.atoms == 2)
  }

  @Test func a36_theScopeOfATransformingAtomIsTheWholeAtom() {
    let percent = WillSetAtom(0) { min($0, 100) }.debugLabel("percent")
    store.enableAtomLogging(debugScope: .exclude([percent])) { [log] in log.add($0.description) }
    store.set(percent, 300)
    #expect(store.get(percent) == 100 && log.all.isEmpty, "\(log.all)")
    store.enableAtomLogging(debugScope: .include([percent])) { [log] in log.add($0.description) }
    store.set(percent, 50)
    store.set(a, 10)
    #expect(log.all == ["#2 percent: 100 -> 50"])
  }

  /// A round is computed at the revision of its change, after the callbacks have set other atoms.
  @Test func a36_entriesAreInTheOrderOfTheirRevisions() {
    store.enableAtomLogging { [log] in log.add($0.description) }
    let observations = [
      store.observe(a) { [store, b] value in
        if value == 10 { for next in 20...21 { store.set(b, next) } }
      },
      store.observe(sum) { _ in },
    ]
    store.set(a, 10)
    #expect(
      log.all == [
        "#0 sum: 3", "#1 a: 1 -> 10", "#1 sum: 3 -> 12", "#2 b: 2 -> 20", "#2 sum: 12 -> 30", "#3 b: 20 -> 21",
        "#3 sum: 30 -> 31",
      ])
    withExtendedLifetime(observations) {}
  }
}
