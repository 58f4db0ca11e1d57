import ActorStore
import ActorStoreTesting
import Atoms
import AtomsTesting
import Testing

/// Test stores give each test its own values, and report what it leaves behind.
@Suite struct TestStoreTests {
  private static let number = Atom(1).debugLabel("number")
  private static let double = DerivedAtom { number.value * 2 }.debugLabel("double")
  private static let limited = WillSetAtom(1) { min($0, 10) }.debugLabel("limited")
  private static let scaled = GetSetAtom {
    number.value * 10
  } set: {
    number.value = $0 / 10
  }.debugLabel("scaled")
  private static let family = AtomFamily { (key: Int) in Atom(key).debugLabel("member \(key)") }

  private static let slow = AsyncAtom { () async -> Int in
    await Task.yield()
    return number.value + 1
  }.debugLabel("slow")
  private static let count = AsyncSequenceAtom {
    let end = number.value
    return AsyncStream<Int> { continuation in
      continuation.yield(end)
      continuation.finish()
    }
  }.debugLabel("count")

  private static let messages = PublisherAtom {
    AsyncStream { [limit = limited.value] continuation in
      for message in 0...limit { continuation.yield(message) }
      continuation.finish()
    }
  }.debugLabel("messages")

  private static let settings = ObservableObjectAtom(Settings(), keepAlive: true).debugLabel("settings")
  private static let volume = PublishedAtom(settings, \.volume).debugLabel("volume")
  private static let ownVolume = PublishedAtom(Settings(), \.volume, keepAlive: true).debugLabel("own volume")
  private static let player = Player()
  private static let playerVolume = PublishedAtom(on: player, initialValue: 0) {
    $0.settings.volume
  }.debugLabel("player volume")
  @MainActor private static let mainSettings = Settings()
  private static let mainVolume = PublishedAtom(initialValue: 0) { mainSettings.volume }.debugLabel("main volume")

  /// A global store, whose state all test stores share.
  private static let account = Store(7)
  private static let balance = account.select(\.self).atom.debugLabel("balance")
  private static let writableBalance = account.select(\.self).atom { $0 = $1 }.debugLabel("writable balance")
  private static let latest = slow.latest

  @Test func fiftyTestStoresInParallelDoNotSeeEachOther() async throws {
    try await withThrowingTaskGroup { group in
      for index in 0..<50 {
        group.addTask {
          try await TestStore { store in
            if index % 2 == 0 { store.inject(Self.number, value: index) } else { Self.number.value = index }
            let child = Task { Self.limited.value = index }
            await child.value
            Self.family(1).value = index
            try await expectEqual(Self.number.value, index)
            try await expectEqual(Self.double.value, 2 * index)
            Self.scaled.value = 10 * index + 10
            try await expectEqual(Self.scaled.value, 10 * index + 10)
            #expect(store.get(Self.limited) == min(index, 10) && Self.family(1).value == index)
            try await expectEqual(Self.slow.value, .success(index + 2))
            try await expectEqual(Self.latest.value, index + 2)
            try await expectEqual(Self.count.value, .success(index + 1))
            try await expectEqual(Self.volume.value, 1)
            Self.settings.value.volume = index
            try await expectEqual(Self.volume.value, index)
            try await expectEqual(Self.ownVolume.value, 1)
            try await expectEqual(Self.messages.value, .success(min(index, 10)))
            for atom in [Self.playerVolume, Self.mainVolume] {
              try await expectEqual(atom.value, 1)
              store.inject(atom, value: index)
              #expect(atom.value == index)
            }
            #expect(Self.balance.value == 7)
            store.inject(Self.balance, value: index)
            #expect(Self.balance.value == index)
            store.inject(Self.writableBalance, value: index)
            Self.writableBalance.value = index + 1
            #expect(Self.writableBalance.value == index + 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(Self.number.value == 1 && Self.limited.value == 1 && Self.family(1).value == 1)
    #expect(Self.playerVolume.value < 2 && Self.mainVolume.value < 2)
    #expect(Self.balance.value == 7 && Self.writableBalance.value == 7)
  }

  @Test func fiftyTestStoresInParallelNameOnlyTheirOwnLeftovers() async {
    await withTaskGroup { group in
      for index in 0..<50 {
        group.addTask {
          var left: [any Sendable] = []
          let found = await issues {
            try await TestStore { store in
              let member = Self.family(index % 5)
              member.value = index
              left.append(index % 2 == 0 ? UseAtomValue(member) as any Sendable : store.observe(member) { _ in })
              Self.family(5 + index % 3).value = index
              await Task.yield()
            }
          }
          let (used, unread) = (index % 5, 5 + index % 3)
          // An observation has received the value. A wrapper has not read it.
          let isUnread = index % 2 == 0
          #expect(
            found.map { $0.prefix { $0 != "," && $0 != "." } }
              == ["member \(used) is still in use at the end of the test"]
              + (isUnread ? [used, unread] : [unread]).map { "member \($0) was set" }, "\(index)")
          withExtendedLifetime(left) {}
        }
      }
    }
  }

  private final class Screen: Sendable {
    let number = UseAtom(TestStoreTests.number)
  }

  @Test func atomsInUseAtTheEndAreNamed() async {
    var left: [any Sendable] = []
    let found = await issues {
      try await TestStore { store in
        left.append(Screen())
        left.append(store.observe(Self.double) { _ in })
        left.append(store.values(of: Self.limited))
        _ = Screen()
      }
    }
    #expect(
      found.map { $0.prefix { $0 != "." } }
        == ["double", "limited", "number"].map { "\($0) is still in use at the end of the test" })
    withExtendedLifetime(left) {}
  }

  @Test func aValueThatIsKeptForATimeIsNotLeftBehind() throws {
    try Simulation.explore(.mixed(seed: 4), schedules: 10, timers: .race(upTo: 0)) {
      let kept = Atom(1, lifetime: .kept(for: .seconds(60)))
      var left: AtomStore?
      try await TestStore { store in
        left = store
        kept.value = 5
        withExtendedLifetime(UseAtomValue(kept)) {}
        try await expectEqual(kept.value, 5)
      }
      // The test has ended, and its countdowns with it.
      try await SimulationClock().sleep(for: .seconds(61))
      try Simulation.expect(left?.get(kept) == 5, "a countdown has outlived its test")
    }
  }

  @Test func runsThatHaveNotEndedAreNamedAndCanceled() async throws {
    let canceled = AsyncStream<Void>.makeStream()
    let endless = AsyncSequenceAtom {
      AsyncStream<Int> { continuation in
        continuation.onTermination = { _ in canceled.continuation.finish() }
        continuation.yield(1)
      }
    }.debugLabel("endless")
    let found = await issues {
      try await TestStore { _ in try await expectEqual(endless.value, .success(1)) }
    }
    #expect(
      found == ["endless is still running at the end of the test. Wait for its result, or cancel it."])
    for await _ in canceled.stream {}
    // A canceled run is not named.
    try await TestStore { _ in
      try await expectEqual(endless.value, .success(1))
      endless.cancel()
    }
  }

  @Test func atomsThatNothingHasReadAreNamed() async throws {
    let kept = Atom(1, keepAlive: true).debugLabel("kept").onUpdate { _ in }
    let found = await issues {
      try await TestStore { store in
        Self.number.value = 5
        #expect(Self.number.value == 5)
        Self.number.value = 6
        Self.limited.value = 20
        store.inject(Self.double, value: 1)
        Self.family(2).value = 3
        kept.value = 2
      }
    }
    #expect(
      found
        == ["limited", "member 2", "number"].map { "\($0) was set, but nothing has read its last value. Assert it." })
    // Each of these reads the last value.
    try await TestStore { store in
      Self.scaled.value = 50
      #expect(Self.double.value == 10)
      Self.limited.value = 20
      store.snapshot { #expect(Self.limited.value == 10) }
      Self.family(2).value = 3
      @CaptureAtomValue(Self.family(2)) var member
      #expect(member == 3)
      kept.value = 2
    }
    try await TestStore(exhaustivity: .off) { _ in Self.number.value = 5 }
  }

  /// The test store records the read, but a run that captures a value does not depend on it.
  @Test func a8_aCaptureInARunOfATestStoreIsNoDependency() async throws {
    let sum = AsyncAtom(keepAlive: true) { () async -> Int in
      @CaptureAtomValue(Self.number) var captured
      return captured
    }
    try await TestStore { _ in
      Self.number.value = 5
      let first = try await sum.result
      Self.number.value = 6
      #expect(first == 5 && sum.value == .success(5) && Self.number.value == 6)
    }
  }

  @Test func aMistakeFailsTheTest() async {
    let wrong = DerivedAtom { () -> Int in
      Self.number.value = 2
      return Self.number.value
    }.debugLabel("wrong")
    let found = await issues { try await TestStore { _ in #expect(wrong.value == 1) } }
    #expect(found.count == 1 && found[0].contains("number was set in wrong"))
  }

  @Test func anErrorOfTheTestIsThrown() async {
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await TestStore { _ in
        Self.number.value = 2
        throw Stop()
      }
    }
  }

  @Test func leftoversFailASimulation() throws {
    let failure = #expect(throws: Simulation.Failure.self) {
      try Simulation.explore(.fifo, timers: .race(upTo: 0)) { try await TestStore { _ in Self.number.value = 2 } }
    }
    #expect(failure?.description.contains("number was set") == true)
  }
}
