import ActorStore
import ActorStoreTesting
import Observation
import TestSize
import Testing

@testable import Atoms

/// Observable objects as atoms (A38).
@Suite struct ObservableObjectTests {
  /// An object that is no safer than others.
  @Observable fileprivate final class Plain { var volume = 1 }

  private actor Player {
    let settings = Plain()
    func set(_ volume: Int) { settings.volume = volume }
  }

  @MainActor @Observable fileprivate final class MainSettings { var volume = 1 }

  @Test func a38_aDerivationFollowsTheProperties() throws {
    try Self.explore { subject in
      let (store, settings, double) = (subject.store, subject.settings, subject.double)
      try Simulation.expect(store.get(double) == 2, "\(store.get(double)) at first")
      settings.volume = 2
      try Simulation.expect(store.get(double) == 4, "the thread that has changed the object does not see the change")
      let seen = Recorder<Int>()
      let observation = store.observe(double) { seen.add($0) }
      for volume in 3...5 {
        settings.volume = volume
        await subject.wait(for: double) { $0 == volume * 2 }
        // The change reaches each observation in its own time.
        try await Self.settle()
      }
      try Simulation.expect(seen.all == [4, 6, 8, 10], "\(seen.all)")
      withExtendedLifetime(observation) {}
      try await Self.settle()
    }
  }

  @Test func a38_otherPropertiesDoNotCount() throws {
    try Self.explore { subject in
      let (store, settings, double) = (subject.store, subject.settings, subject.double)
      let name = DerivedAtom(keepAlive: true) { subject.object.value.name }
      let objects = Recorder<Int>()
      let observations = [
        store.observe(double) { _ in }, store.observe(name) { _ in },
        store.observe(subject.object) { _ in objects.add(1) },
      ]
      // The second look at the first value.
      try await Self.settle()
      subject.volumes.reset()
      for text in ["b", "c"] {
        settings.name = text
        await subject.wait(for: name) { $0 == text }
      }
      try Simulation.expect(objects.all.count == 1, "watchers of the object follow its properties")
      try Simulation.expect(subject.volumes.all.count <= 1, "another property counts: \(subject.volumes.all)")
      withExtendedLifetime(observations) {}
      try await Self.settle()
    }
  }

  @Test func a38_aChangeBetweenAReadAndItsObservationIsSeen() throws {
    try Self.explore([], Self.missedChange)
    #if DEBUG
      #expect(throws: (any Error).self) { try Self.explore(.lookOnce, Self.missedChange) }
    #endif
  }

  private static let missedChange: @Sendable (Subject) async throws -> Void = { subject in
    let (settings, values) = (subject.settings, Recorder<Int>())
    settings.onRead { settings.volume = 2 }
    let observation = subject.store.observe(subject.double) { values.add($0) }
    try await Self.settle()
    try Simulation.expect(values.all == [2, 4], "\(values.all)")
    withExtendedLifetime(observation) {}
  }

  /// Releasing a former value is not part of the derivation, but the derivation must follow a change that it makes.
  @Test func a38_aDerivationSeesAChangeMadeByReleasingItsFormerValue() throws {
    try Self.explore([], Self.changeByRelease)
    #if DEBUG
      #expect(throws: (any Error).self) { try Self.explore(.lookOnce, Self.changeByRelease) }
    #endif
  }

  private static let changeByRelease: @Sendable (Subject) async throws -> Void = { subject in
    let (store, settings, object) = (subject.store, subject.settings, subject.object)
    let number = Atom(0, keepAlive: true)
    let token = DerivedAtom(keepAlive: true) { () -> (volume: Int, witness: OnRelease?) in
      if number.value == 0 { return (0, OnRelease { settings.volume = 9 }) }
      return (object.value.volume, nil)
    }
    let first = store.get(token).volume
    try Simulation.expect(first == 0)
    store.set(number, 1)
    // Reading `volume` runs `token` again, which reads the object for the first time and releases the former value.
    let volume = DerivedAtom(keepAlive: true) { token.value.volume }
    let seen = Recorder<Int>()
    let observation = store.observe(volume) { seen.add($0) }
    try await Self.settle()
    try Simulation.expect(seen.all.last == 9, "\(seen.all)")
    let last = store.get(token).volume
    try Simulation.expect(last == 9)
    withExtendedLifetime(observation) {}
  }

  @Test func a38_aTransactionDoesNotRepeatBecauseOfAnObject() throws {
    try Self.explore { subject in
      let (store, settings, factor) = (subject.store, subject.settings, Atom(1, keepAlive: true))
      let product = DerivedAtom(keepAlive: true) { subject.object.value.volume * factor.value }
      let observation = store.observe(product) { _ in }
      try await Self.settle()
      let attempts = Recorder<Int>()
      store.transaction {
        attempts.add(1)
        if attempts.all.count > 3 { return }
        factor.value = 2
        _ = product.value
        // Another thread changes the object and follows it.
        Evaluation.setAside {
          settings.volume += 1
          _ = store.get(product)
        }
      }
      try Simulation.expect(attempts.all.count == 1, "\(attempts.all.count) attempts")
      try await Self.settle()
      try Simulation.expect(store.get(product) == 4, "\(store.get(product))")
      withExtendedLifetime(observation) {}
    }
  }

  @Test func a38_aChangeInAnotherDerivationIsSeen() throws {
    try Self.explore { subject in
      let (store, settings, double) = (subject.store, subject.settings, subject.double)
      let observation = store.observe(double) { _ in }
      try await Self.settle()
      let counter = DerivedAtom { () -> Int in
        settings.volume = 5
        return 0
      }
      try Simulation.expect(store.get(counter) == 0, "the other derivation")
      try await Self.settle()
      try Simulation.expect(store.get(double) == 10, "\(store.get(double)) after a change in a derivation")
      settings.volume = 6
      try await Self.settle()
      try Simulation.expect(store.get(double) == 12, "\(store.get(double)) after the next change")
      withExtendedLifetime(observation) {}
    }
  }

  @Test(.namedIfItHangs) func a38_aDerivationThatMakesTheFirstObjectAtomFollowsIt() async {
    // Another process, which has no such atom yet.
    await #expect(processExitsWith: .success) {
      let (store, settings) = (AtomStore(), Settings())
      let made = Locked<ObservableObjectAtom<Settings>?>(nil)
      let double = DerivedAtom(keepAlive: true) { () -> Int in
        let object = made.withLock { $0 } ?? ObservableObjectAtom(settings, keepAlive: true)
        made.withLock { $0 = object }
        return object.value.volume * 2
      }
      var changing: Task<Void, Never>?
      for await _ in store.values(of: double) {
        // A second value is one after a change.
        if changing != nil { break }
        changing = Task {
          while !Task.isCancelled {
            settings.volume += 1
            await Task.yield()
          }
        }
      }
      changing?.cancel()
    }
  }

  @Test func a38_aChangeThatTakesLongerThanTheFirstLookIsSeen() throws {
    try Self.explore([], Self.slowChange)
    #if DEBUG
      #expect(throws: (any Error).self) { try Self.explore(.lookOnce, Self.slowChange) }
    #endif
  }

  private static let slowChange: @Sendable (Subject) async throws -> Void = { subject in
    let (settings, values) = (subject.settings, Recorder<Int>())
    let observation = subject.store.observe(subject.double) { values.add($0) }
    try await Self.settle()
    // The announced change happens after the first look.
    settings.volume = 1
    settings.onRead { settings.setSilently(2) }
    try await Self.settle()
    try Simulation.expect(values.all == [2, 4], "\(values.all)")
    withExtendedLifetime(observation) {}
  }

  @Test func a38_aReadBeforeTheChangeDoesNotHideIt() throws {
    try Self.explore { subject in
      let (store, settings, double) = (subject.store, subject.settings, subject.double)
      try Simulation.expect(store.get(double) == 2, "\(store.get(double)) at first")
      settings.beforeSet { _ = store.get(double) }
      settings.volume = 2
      await subject.wait(for: double) { $0 == 4 }
      try await Self.settle()
    }
  }

  @Test func a38_eachStoreHasItsOwnObject() {
    let object = ObservableObjectAtom(Settings(), keepAlive: true)
    let volume = PublishedAtom(object, \.volume, keepAlive: true)
    let own = PublishedAtom(Settings(), \.volume, keepAlive: true)
    let stores = [AtomStore(), AtomStore()]
    stores[0].get(object).volume = 5
    #expect(stores.map { $0.get(volume) } == [5, 1])
    #expect(stores.map { $0.get(own) } == [1, 1])
    let injected = Settings()
    stores[1].inject(object, value: injected)
    #expect(stores[1].get(volume) == 1)
    injected.volume = 7
    #expect(stores.map { $0.get(volume) } == [5, 7])
  }

  @Test func a38_aDerivationThatChangesItsObjectDoesNotRunForEver() throws {
    try Self.explore { subject in
      let runs = Tally()
      let object = subject.object
      let counter = DerivedAtom(keepAlive: true) {
        runs.add()
        object.value.volume += 1
        return object.value.volume
      }
      let observation = subject.store.observe(counter) { _ in }
      try await Self.settle()
      try await Self.settle()
      try Simulation.expect(runs.value <= 10, "\(runs.value) runs")
      withExtendedLifetime(observation) {}
    }
  }

  @Test func a30_objectsAndStoresCanGo() throws {
    try Simulation.explore(.mixed(seed: 3), schedules: 20, timers: .race(upTo: 0)) {
      weak var object: Settings?
      weak var graph: Graph?
      do {
        let subject = Subject()
        let volume = PublishedAtom(subject.object, \.volume)
        let observation = subject.store.observe(volume) { _ in }
        subject.settings.volume = 2
        await subject.wait(for: volume) { $0 == 2 }
        (object, graph) = (subject.settings, subject.store.core)
        withExtendedLifetime(observation) {}
      }
      try await Self.settle()
      try Simulation.expect(object == nil && graph == nil, "something holds the object or the store")
    }
  }

  @Test func a38_aRunFollowsAnObjectOnlyThroughAPublishedAtom() throws {
    try Self.explore { subject in
      let (store, object, runs) = (subject.store, subject.object, Tally())
      let volume = PublishedAtom(object, \.volume)
      let direct = AsyncAtom { () -> Int in
        runs.add()
        return object.value.volume
      }
      let following = AsyncAtom { volume.value * 10 }
      let observations = [store.observe(direct) { _ in }, store.observe(following) { _ in }]
      _ = try await store.result(of: direct)
      await subject.wait(for: following) { $0 == .success(10) }
      subject.settings.volume = 2
      await subject.wait(for: following) { $0 == .success(20) }
      try await Self.settle()
      try Simulation.expect(store.get(direct) == .success(1) && runs.value == 1, "\(runs.value) runs")
      withExtendedLifetime(observations) {}
    }
  }

  // MARK: On actors

  @Test func a38_aPropertyIsReadOnItsActor() throws {
    try Simulation.explore(.mixed(seed: 3), schedules: 50, timers: .race(upTo: 0)) {
      let (store, player) = (AtomStore(), Player())
      let volume = PublishedAtom(on: player, initialValue: 0) { $0.settings.volume }
      let double = DerivedAtom { volume.value * 2 }
      var values = store.values(of: double).makeAsyncIterator()
      var value = await values.next()
      if value == 0 { value = await values.next() }
      try Simulation.expect(value == 2, "\(String(describing: value)) at first")
      for volume in 2...4 {
        await player.set(volume)
        let value = await values.next()
        try Simulation.expect(value == volume * 2, "\(String(describing: value)) for \(volume)")
      }
    }
  }

  @Test func a30_aReleaseEndsTheReadsOnTheActor() throws {
    try Simulation.explore(.mixed(seed: 3), schedules: 50, timers: .race(upTo: 0)) {
      let (store, player, reads) = (AtomStore(), Player(), Tally())
      let volume = PublishedAtom(on: player, initialValue: 0) { player in
        reads.add()
        return player.settings.volume
      }
      for await value in store.values(of: volume) where value == 1 { break }
      try await Self.settle()
      let count = reads.value
      for volume in 2...4 { await player.set(volume) }
      try await Self.settle()
      try Simulation.expect(reads.value == count, "\(reads.value) reads")
      try Simulation.expect(store.core.state.withLock { $0.pinnedRuns } == 0, "a run pins a revision")
    }
  }

  /// The hidden atom with the runs has the label, too.
  @Test func a36_aPropertyOnAnActorHasItsLabel() {
    let (store, player) = (AtomStore(), Player())
    let volume = PublishedAtom(on: player, initialValue: 0) { $0.settings.volume }.debugLabel("volume")
    _ = store.get(volume)
    #expect(store.core.state.withLock { $0.allCells.map(\.definition.label) } == ["volume", "volume"])
  }

  @MainActor @Test func a38_aPropertyIsReadOnTheMainActor() async {
    let (store, settings) = (AtomStore(), MainSettings())
    let volume = PublishedAtom(initialValue: 0) { settings.volume }
    var seen: [Int] = []
    for await value in store.values(of: volume) {
      seen.append(value)
      if value == 3 { break }
      if value > 0 { settings.volume = value + 1 }
    }
    #expect(seen == [0, 1, 2, 3])
  }

  /// In another process, in which no test has made an atom with an object yet.
  @Test func aSimulatedRunIsTheSameIfAnotherTestMakesTheFirstAtomWithAnObject() async {
    await #expect(processExitsWith: .success) {
      let isFirstRun = Locked(true)
      try Simulation.explore(.fifo, timers: .race(upTo: 0)) {
        let store = AtomStore()
        let derived = DerivedAtom { () -> Int in
          // As another thread would, in the middle of the derivation.
          if isFirstRun.withLock({ $0 }) { ObjectFollower.need() }
          isFirstRun.withLock { $0 = false }
          return 1
        }
        _ = store.get(derived)
        await Task.yield()
      }
    }
  }
}
