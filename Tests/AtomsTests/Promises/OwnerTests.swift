import ActorStore
import ActorStoreTesting
import Observation
import Testing

@testable import Atoms

/// Observations for owners, and mirrors on the main actor (A17, A30, A34).
@Suite struct OwnerTests {
  private actor Cache {
    private(set) var values: [Int] = []

    func add(_ value: Int) { values.append(value) }

    func follow(_ store: AtomStore, _ atom: Atom<Int>) -> ObservationToken {
      store.observe(self, atom) { cache, value in cache.values.append(value) }
    }
  }

  private struct Wrong: Error { let seen: String }

  @Test func a17_anOwnerSeesEachValueOnItsActor() throws {
    try Simulation.explore(schedules: 200, timers: .race(upTo: 0)) {
      let (store, atom, cache) = (AtomStore(), Atom(1), Cache())
      store.observe(cache, atom) { cache, value in
        cache.preconditionIsolated()
        cache.add(value)
      }
      let other = Cache()
      _ = await other.follow(store, atom)
      store.set(atom, 2)
      store.set(atom, 2)
      store.transaction { atom.value = 3 }
      try await SimulationClock().sleep(for: .seconds(1))
      let seen = await [cache.values, other.values]
      if seen != [[1, 2, 3], [1, 2, 3]] { throw Wrong(seen: "\(seen)") }
    }
  }

  @Test func a17_aTokenEndsAnObservation() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let (store, atom, cache) = (AtomStore(), Atom(1, keepAlive: true), Cache())
      let token = await cache.follow(store, atom)
      try await SimulationClock().sleep(for: .seconds(1))
      token.cancel()
      store.set(atom, 2)
      try await SimulationClock().sleep(for: .seconds(1))
      let (seen, watchers) = (await cache.values, store.graph.atoms.map(\.watchers))
      if seen != [1] || watchers != [0] { throw Wrong(seen: "\(seen), \(watchers)") }
    }
  }

  @Test func a30_anObservationHoldsNeitherTheOwnerNorTheStore() throws {
    try Simulation.explore(schedules: 50, timers: .race(upTo: 0)) {
      let atom = Atom(1)
      weak var (owner, handle) = (Cache?.none, GraphHandle?.none)
      do {
        let store = AtomStore()
        handle = store.handle
        do {
          let cache = Cache()
          owner = cache
          _ = await cache.follow(store, atom)
          try await SimulationClock().sleep(for: .seconds(1))
        }
        // The observation ends at the next change.
        store.set(atom, 2)
        try await SimulationClock().sleep(for: .seconds(1))
        let watchers = store.graph.atoms.map(\.watchers)
        if owner != nil || watchers != [0] { throw Wrong(seen: "\(watchers)") }
        _ = await Cache().follow(store, atom)
      }
      if handle != nil { throw Wrong(seen: "the store is held") }
    }
  }

  @MainActor private final class Badge {
    var text = ""
  }

  @MainActor @Test func a34_theStoreIsTheCurrentOneInTheClosure() async {
    let (store, atom, twin, badge) = (AtomStore(), Atom(1), Atom(0), Badge())
    store.set(twin, 5)
    let seen = Recorder<Int>()
    let (calls, call) = AsyncStream<Void>.makeStream()
    AtomStore().callAsCurrent {
      _ = store.observe(badge, atom) { badge, value in
        badge.text = "\(value)"
        seen.add(twin.value)
        call.finish()
      }
    }
    for await _ in calls {}
    #expect(badge.text == "1" && seen.all == [5])
  }

  // MARK: Mirrors

  @MainActor @Test func a30_aMirrorFollowsAnAtomAndUsesIt() async {
    let (store, atom) = (AtomStore(), Atom(1))
    let sum = DerivedAtom { atom.value + 10 }
    do {
      let model = AtomModel(sum, in: store)
      #expect(model.value == 11)
      await withCheckedContinuation { change in
        withObservationTracking {
          _ = model.value
        } onChange: {
          // The main actor makes the change before it goes on here.
          change.resume()
        }
        store.set(atom, 2)
      }
      #expect(model.value == 12)
    }
    #expect(store.get(atom) == 1)
    store.set(atom, 5)
    store.callAsCurrent { #expect(AtomModel(atom).value == 5) }
  }
}
