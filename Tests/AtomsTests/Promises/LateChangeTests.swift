import ActorStore
import ActorStoreTesting
import Foundation
import Observation
import TestSize
import Testing

@testable import Atoms

/// Derivations see an announced change even if the object makes it late (A38).
@Suite struct LateChangeTests {
  private typealias Settings = ObservableObjectTests.Settings
  private typealias Subject = ObservableObjectTests.Subject

  private static func explore(_ body: @escaping @Sendable (Subject) async throws -> Void) throws {
    try Simulation.explore(.mixed(seed: 3), schedules: 20, timers: .race(upTo: 0)) {
      try await body(Subject())
      // Wait until the looks have ended. A look that still sleeps at the end of the run would be a leak.
      try await SimulationClock().sleep(for: .seconds(2))
    }
  }

  /// The thread that makes the change pauses in its setter.
  @Test(arguments: [0, 1, 5, 20, 80, 330, 990]) func a38_watchersSeeAChangeThatIsLate(by milliseconds: Int) throws {
    try Self.explore { subject in
      let (settings, values, clock) = (subject.settings, Recorder<Int>(), SimulationClock())
      let observation = subject.store.observe(subject.double) { values.add($0) }
      try await clock.sleep(for: .seconds(2))
      // The object announces the change now, and makes it later.
      settings.volume = 1
      try await clock.sleep(for: .milliseconds(milliseconds))
      settings.setSilently(2)
      try await clock.sleep(for: .seconds(1))
      try Simulation.expect(values.all == [2, 4], "\(values.all)")
      withExtendedLifetime(observation) {}
    }
  }

  /// The value is not watched, and was read after the announcement.
  @Test(arguments: [0, 5, 80, 990]) func a38_readersSeeAChangeThatIsLate(by milliseconds: Int) throws {
    try Self.explore { subject in
      let (store, settings, clock) = (subject.store, subject.settings, SimulationClock())
      try Simulation.expect(store.get(subject.double) == 2)
      settings.volume = 1
      try await clock.sleep(for: .milliseconds(milliseconds))
      try Simulation.expect(store.get(subject.double) == 2)
      settings.setSilently(2)
      try await clock.sleep(for: .seconds(1))
      try Simulation.expect(store.get(subject.double) == 4, "\(store.get(subject.double))")
    }
  }

  /// After the last change, the derivation runs a few times, and then stops.
  @Test func a38_theLooksEnd() throws {
    try Self.explore { subject in
      let clock = SimulationClock()
      let observation = subject.store.observe(subject.double) { _ in }
      try await clock.sleep(for: .seconds(2))
      subject.volumes.reset()
      for volume in 2...100 {
        subject.settings.volume = volume
        await Task.yield()
      }
      try await clock.sleep(for: .seconds(2))
      let count = subject.volumes.all.count
      try await clock.sleep(for: .seconds(100))
      try Simulation.expect(subject.volumes.all.count == count, "the looks do not end")
      subject.volumes.reset()
      subject.settings.volume = 1
      try await clock.sleep(for: .seconds(2))
      try Simulation.expect(subject.volumes.all.count <= 12, "\(subject.volumes.all.count) runs for one change")
      withExtendedLifetime(observation) {}
    }
  }

  /// A value without `==` counts as changed only if its parts have changed.
  @Test func a38_aLookAtAnEqualValueIsNoChange() throws {
    struct Plain: Sendable { let volume: Int }
    try Self.explore { subject in
      let (values, clock) = (Recorder<Int>(), SimulationClock())
      let plain = DerivedAtom(keepAlive: true) { Plain(volume: subject.object.value.volume) }
      let observation = subject.store.observe(plain) { values.add($0.volume) }
      try await clock.sleep(for: .seconds(2))
      subject.settings.volume = 2
      try await clock.sleep(for: .seconds(2))
      // The first run after the announcement can count as a change.
      try Simulation.expect(values.all.filter { $0 == 2 }.count <= 2 && values.all.count <= 4, "\(values.all)")
      try Simulation.expect(values.all.last == 2)
      withExtendedLifetime(observation) {}
    }
  }

  // MARK: The thread that makes the change

  /// Runs a closure on another thread, and waits for it.
  private static func elsewhere(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    done.wait()
  }

  private enum Read: CaseIterable { case get, snapshot, transaction, value }

  /// Another thread computes the derivation between the announcement and the change.
  @Test(arguments: Read.allCases) private func a38_theThreadSeesItsChangeAlthoughAnotherHasRead(_ read: Read) {
    let subject = Subject()
    let (store, settings, double) = (subject.store, subject.settings, subject.double)
    let quadruple = DerivedAtom(keepAlive: true) { double.value * 2 }
    #expect(store.get(quadruple) == 4)
    for volume in 2..<100 {
      settings.beforeSet { Self.elsewhere { _ = store.get(quadruple) } }
      settings.volume = volume
      let seen =
        switch read {
        case .get: store.get(quadruple)
        case .snapshot: store.snapshot { quadruple.value }
        case .transaction: store.transaction { quadruple.value }
        case .value: store.callAsCurrent { quadruple.value }
        }
      #expect(seen == volume * 4)
    }
  }

  /// The thread reads in its own setter, and again after the change.
  @Test func a38_theThreadSeesItsChangeAlthoughItHasReadInTheSetter() {
    let subject = Subject()
    let (store, settings, double) = (subject.store, subject.settings, subject.double)
    #expect(store.get(double) == 2)
    for volume in 2..<100 {
      settings.beforeSet { _ = store.get(double) }
      settings.volume = volume
      #expect(store.get(double) == volume * 2)
    }
  }

  /// Six stores, which are more than a thread remembers, follow one object.
  @Test func a38_theThreadSeesItsChangeInSeveralStores() {
    let settings = Settings()
    let object = ObservableObjectAtom(settings, keepAlive: true)
    let volume = PublishedAtom(object, \.volume, keepAlive: true)
    let stores = (0..<6).map { _ in AtomStore() }
    for store in stores { #expect(store.get(volume) == 1) }
    for number in 2..<50 {
      settings.volume = number
      for store in stores { #expect(store.get(volume) == number) }
    }
  }

  /// On real threads, the thread that makes a change sees it immediately, and all watchers see it in the end.
  @Test(.namedIfItHangs) func a38_noChangeIsLostOnRealThreads() async {
    let count = TestSize.count(500, few: 60)
    for _ in 0..<count {
      let (store, settings, last) = (AtomStore(), Settings(), Recorder<Int>())
      let object = ObservableObjectAtom(settings)
      let volume = DerivedAtom { object.value.volume }
      let observation = store.observe(volume) { last.add($0) }
      settings.volume = 100
      #expect(store.get(volume) == 100)
      while last.all.last != 100 { await Task.yield() }
      withExtendedLifetime(observation) {}
    }
  }
}
