import ActorStore
import Synchronization
import TestSize
import Testing

@testable import Atoms

/// Threads that set open atoms, while other threads take the store's lock.
@Suite struct DirectSetThreadsTests {
  /// Two numbers and a text, which one thread sets to the same number, one after the other.
  private struct Triple: Sendable {
    let first = Atom(0, lifetime: .kept)
    let second = Atom(0, lifetime: .kept)
    let third = Atom("0", lifetime: .kept)

    func set(_ value: Int, in store: AtomStore) {
      store.set(first, value)
      store.set(second, value)
      store.set(third, "\(value)")
    }

    /// Reads the atoms in the reverse of the order in which they are set, and describes a problem, if there is one.
    func problem(_ newest: inout Int, _ isSnapshot: Bool) -> String? {
      let (third, second, first) = (Int(third.value) ?? -1, second.value, first.value)
      defer { newest = first }
      if third > second || second > first { return "out of order: \(first), \(second), \(third)" }
      if isSnapshot, third < first - 1 { return "values of different revisions: \(first), \(second), \(third)" }
      return first < newest ? "went backward: \(first) after \(newest)" : nil
    }
  }

  @Test func readersSeeTheOrderOfTheSets() {
    let store = AtomStore()
    store.openEagerly()
    let triples = [Triple(), Triple()]
    let problems = Recorder<String>()
    let isDone = Atomic(0)
    let openSets = Atomic(0)
    let sets = TestSize.count(100_000, few: 20_000)
    inThreads(4) { thread in
      let index = thread / 2
      let triple = triples[index]
      if thread % 2 == 0 {
        for value in 1...sets {
          triple.set(value, in: store)
          if store.isOpen(triple.first) { openSets.wrappingAdd(1, ordering: .relaxed) }
          if store.get(triple.second) != value { problems.add("a thread did not see its own set") }
        }
        isDone.wrappingAdd(1, ordering: .releasing)
        return
      }
      var newest = [0, 0]
      var round = 0
      while isDone.load(ordering: .acquiring) < 2 {
        round += 1
        for (other, triple) in triples.enumerated() {
          // Most rounds take no lock, so that the writers' atoms stay open for a while.
          if round % 16 != 0 {
            store.callAsCurrent { if let problem = triple.problem(&newest[other], false) { problems.add(problem) } }
            continue
          }
          if let problem = problem(of: triple, &newest[other], round / 16, store) { problems.add(problem) }
        }
      }
    }
    #expect(problems.all.first == nil)
    #expect(openSets.load(ordering: .relaxed) > 0)
    for triple in triples { #expect(store.get(triple.first) == sets && store.get(triple.third) == "\(sets)") }
    #expect(!store.diagnostics.isPinned && store.diagnostics.kept == 0)
  }

  /// Reads a triple in one of several ways that need the lock of the store.
  private func problem(of triple: Triple, _ newest: inout Int, _ round: Int, _ store: AtomStore) -> String? {
    let last = newest
    func checked() -> (Int, String?) {
      var newest = last
      let problem = triple.problem(&newest, true)
      return (newest, problem)
    }
    var result: (Int, String?) = (last, nil)
    switch round % 4 {
    case 0: result = store.snapshot { checked() }
    case 1: result = store.transaction { checked() }
    case 2:
      let derived = DerivedAtom { () -> [Int] in
        [triple.first.value, triple.second.value, Int(triple.third.value) ?? -1]
      }
      let seen = store.get(derived)
      if seen[0] < seen[1] || seen[1] < seen[2] || seen[2] < seen[0] - 1 {
        result.1 = "a derived value of different revisions: \(seen)"
      }
    default:
      let watched = Recorder<Int>()
      let observation = store.observe(triple.second) { watched.add($0) }
      for _ in 0..<10 { _ = store.snapshot { triple.first.value } }
      observation.cancel()
      let all = watched.all
      if zip(all, all.dropFirst()).contains(where: { $0 >= $1 }) {
        result.1 = "a watcher's values do not increase: \(all)"
      }
    }
    newest = result.0
    return result.1
  }

  /// Sets and reads of different atoms have one order.
  ///
  /// If one thread sets `x` and reads `y`, and another one sets `y` and reads `x`, at least one thread sees the new value
  /// of the other thread. With release stores, acquire loads, and no lock of the cell, both could read a former value.
  /// With that lock, x86 keeps the order anyway, because unlocking is a full barrier there.
  @Test func setsHaveOneOrder() {
    let store = AtomStore()
    store.openEagerly()
    let (x, y) = (Atom(0), Atom(0))
    for _ in 0..<3 {
      store.set(x, 0)
      store.set(y, 0)
    }
    #expect(store.isOpen(x) && store.isOpen(y))
    let rounds = TestSize.count(500_000)
    let seen = Locked<[[Int]]>([[], []])
    let arrivals = Atomic(0)
    inThreads(2) { thread in
      let (own, other) = thread == 0 ? (x, y) : (y, x)
      var reads: [Int] = []
      for round in 1...rounds {
        // If both threads are running, they set at nearly the same moment.
        arrivals.add(1, ordering: .relaxed)
        var spins = 0
        while arrivals.load(ordering: .relaxed) < 2 * round {
          spins += 1
          if spins > 1_000 { Graph.yield() }
        }
        store.set(own, round)
        reads.append(store.get(other))
      }
      seen.withLock { $0[thread] = reads }
    }
    #expect(store.isOpen(x) && store.isOpen(y))
    let (first, second) = seen.withLock { ($0[0], $0[1]) }
    #expect((1...rounds).first { first[$0 - 1] < $0 && second[$0 - 1] < $0 } == nil)
  }

  /// Threads that set the same open atom do not lose revisions.
  @Test func eachSetOfAContendedAtomIsARevision() {
    let store = AtomStore()
    store.openEagerly()
    let (number, text) = (Atom(0), Atom(""))
    store.set(number, 0)
    store.set(text, "")
    let before = store.graph.revision
    let sets = TestSize.count(500_000, few: 50_000)
    inThreads(4) { thread in
      for value in 0..<sets {
        store.set(number, 4 * value + thread)
        store.set(text, "a string that is too long to be stored inline \(value)")
      }
    }
    #expect(store.graph.revision == before + UInt64(8 * sets))
    #expect(store.get(number) / 4 == sets - 1)
  }
}
