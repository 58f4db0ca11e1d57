import ActorStore
import SeededRandom
import TestSize
import Testing

@testable import Atoms

/// Random operations on a store that opens atoms for direct sets, compared with plain values.
@Suite struct RandomDirectSetTests {
  /// Two atoms, the number that both must have, and everything that depends on them, watches them, or uses them.
  private struct Place {
    var atom = Atom(0, lifetime: .kept)
    var text = Atom("0", lifetime: .kept)
    var value = 0
    /// The derived atom that reads both atoms, if there is one.
    var derived: DerivedAtom<String>?
    var watcher: (observation: AtomObservation, seen: Recorder<Int>, expected: [Int])?
    var use: UseAtom<Int>?

    mutating func expect(_ new: Int) {
      if new != value { watcher?.expected.append(new) }
      value = new
    }
  }

  private struct Run {
    let store = AtomStore()
    var random: SplitMix64
    var places = (0..<4).map { _ in Place() }
    /// The numbers of operations before which, and after which, an atom was open.
    var (found, left) = (0, 0)
    var problems: [String] = []

    init(_ seed: UInt64) {
      random = SplitMix64(seed)
      store.openEagerly()
    }

    var isAnyOpen: Bool { places.contains { store.isOpen($0.atom) || store.isOpen($0.text) } }

    mutating func run(_ count: Int) {
      for _ in 0..<count {
        if isAnyOpen { found += 1 }
        act()
        if isAnyOpen { left += 1 }
      }
      for index in places.indices { check(index) }
    }

    mutating func set(_ index: Int, _ value: Int) {
      store.set(places[index].atom, value)
      store.set(places[index].text, "\(value)")
      places[index].expect(value)
    }

    mutating func note(_ what: String, _ isRight: Bool) { if !isRight { problems.append("wrong result: \(what)") } }

    mutating func act() {
      let index = random.below(places.count)
      switch random.below(24) {
      case 0...11:
        for _ in 0...random.below(4) { set(index, random.below(5)) }
      case 12...14:
        let place = places[index]
        note("a read", store.get(place.atom) == place.value && store.get(place.text) == "\(place.value)")
      case 15:
        let all = places
        note(
          "a snapshot",
          store.snapshot { all.allSatisfy { $0.atom.value == $0.value && $0.text.value == "\($0.value)" } })
      case 16: setDuringSnapshot(index)
      case 17:
        let (store, all) = (store, places)
        store.transaction { for place in all { place.atom.value += 1; place.text.value = "\(place.value + 1)" } }
        for index in places.indices { places[index].expect(places[index].value + 1) }
      case 18:
        store.reset(places[index].atom)
        store.reset(places[index].text)
        places[index].expect(0)
      case 19: derive(index)
      case 20: watch(index)
      case 21:
        let atom = places[index].atom
        places[index].use = places[index].use == nil ? store.callAsCurrent { UseAtom(atom) } : nil
      case 22:
        // This releases the last copies of the atoms.
        check(index)
        places[index].watcher?.observation.cancel()
        places[index] = Place()
      default: check(index)
      }
    }

    /// Sets atoms during a snapshot, as another thread would.
    mutating func setDuringSnapshot(_ index: Int) {
      let (store, all) = (store, places)
      var sets: [Int] = []
      for _ in 0..<3 { sets.append(random.below(5)) }
      let isRight = store.snapshot { () -> Bool in
        Evaluation.setAside {
          for value in sets {
            store.set(all[index].atom, value)
            store.set(all[index].text, "\(value)")
          }
        }
        return all.allSatisfy { $0.atom.value == $0.value && $0.text.value == "\($0.value)" }
      }
      for value in sets { places[index].expect(value) }
      note("sets during a snapshot", isRight)
    }

    mutating func derive(_ index: Int) {
      let place = places[index]
      let derived = place.derived ?? DerivedAtom { "\(place.atom.value) \(place.text.value)" }
      note("a derived read", store.get(derived) == "\(place.value) \(place.value)")
      places[index].derived = random.below(2) == 0 ? derived : nil
    }

    mutating func watch(_ index: Int) {
      if let watcher = places[index].watcher {
        watcher.observation.cancel()
        note("an observation", watcher.seen.all == watcher.expected)
        places[index].watcher = nil
        return
      }
      let seen = Recorder<Int>()
      let observation = store.observe(places[index].atom) { seen.add($0) }
      places[index].watcher = (observation, seen, [places[index].value])
    }

    mutating func check(_ index: Int) {
      let place = places[index]
      note("the last value", store.get(place.atom) == place.value && store.get(place.text) == "\(place.value)")
      if let derived = place.derived {
        note("the last derived value", store.get(derived) == "\(place.value) \(place.value)")
      }
      if let watcher = place.watcher { note("the values of an observation", watcher.seen.all == watcher.expected) }
    }
  }

  @Test func eachOperationSeesAllEarlierSets() {
    var (found, left) = (0, 0)
    let count = TestSize.count(500)
    for seed in 1...UInt64(count) {
      var run = Run(seed)
      run.run(200)
      if let first = run.problems.first {
        Issue.record("seed \(seed): \(first)")
        return
      }
      (found, left) = (found + run.found, left + run.left)
      #expect(!run.store.diagnostics.isPinned && run.store.diagnostics.kept == 0)
    }
    // Many operations begin with an open atom, and many leave one open.
    #expect(found > 20 * count && left > 20 * count)
  }
}
