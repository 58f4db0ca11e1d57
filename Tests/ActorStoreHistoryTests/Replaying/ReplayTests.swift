import ActorStore
import ActorStoreEvents
import ActorStoreHistory
import SeededRandom
import Synchronization
import TestSize
import Testing

@Suite struct ReplayTests {
  /// An action that depends on more than the state.
  private struct Roll: Mutation, Codable {
    static let dice = Mutex(0)

    func run(_ state: inout Draft) {
      state.cursor = Self.dice.withLock { dice in
        dice += 1
        return dice
      }
    }
  }

  private struct Failing: Mutation, Codable {
    @TaskLocal static var fails = false
    struct Oops: Error {}

    func run(_ state: inout Draft) throws(Oops) { if Self.fails { throw Oops() } }
  }

  @Test func h9_aReplayReproducesTheStates() async throws {
    let history = History<Draft>()
    let store = Store(Draft(text: "-"), guards: [history])
    for letter in ["a", "b", "c"] { await store.dispatch(Insert(letter)) }
    await store.dispatch(history.undo())
    await store.dispatch(MoveCursor(position: 2))
    let replay = try await history.timeline.replayed(with: draftActions)
    #expect(replay.difference == nil)
    #expect(replay.replayedCount == 3)
    #expect(replay.adopted.isEmpty)
    #expect(await replay.store.state == Draft(text: "-ab", cursor: 2))
    let part = try await history.timeline.replayed(with: draftActions, upTo: 1)
    #expect(await part.store.state.text == "-a")
    await #expect(throws: HistoryError.unknown(9)) {
      _ = try await history.timeline.replayed(with: draftActions, upTo: 9)
    }
    await #expect(throws: HistoryError.empty) { _ = try await History<Draft>().timeline.replayed(with: draftActions) }
  }

  @Test func h9_anImportedFileIsReplayed() async throws {
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history])
    await store.dispatch(Insert("a"))
    await store.dispatch(label: "closure") { $0.text += "b" }
    try await store.transaction { transaction in try transaction.run(Insert("c")) }
    await store.dispatch(Insert("d"))
    let data = try await history.timeline.exported(actions: draftActions)
    let timeline = try await HistoryTimeline<Draft>.imported(from: data, actions: draftActions)
    let replay = try await timeline.replayed(with: draftActions) { Store($0, guards: [History()], name: "replay") }
    #expect(replay.difference == nil)
    #expect(replay.adopted == [2, 3])
    #expect(replay.replayedCount == 2)
    #expect(await replay.store.state.text == "abcd")
  }

  @Test func h9_theFirstDifferenceIsReported() async throws {
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history])
    await store.dispatch(Insert("a"))
    await store.dispatch(Roll())
    await store.dispatch(Roll())
    let actions: ActionRegistry<Draft> = ["insert": Insert.self, "roll": Roll.self]
    let difference = try #require(try await history.timeline.replayed(with: actions).difference)
    #expect(difference.revision == 2)
    #expect(difference.label == "Roll()")
    #expect(difference.text.contains("cursor: 3") && !difference.text.contains("text: \"a\","))
    #expect("\(difference)".hasPrefix("After revision 2, Roll():\n"))
  }

  @Test func h9_refusedAndFailedActionsAreDifferences() async throws {
    struct NoInserts: Guard {
      func veto<A: Action<Draft>>(_ action: A, state: Draft) -> Veto? { action is Insert ? Veto("no") : nil }
    }
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history])
    try await store.dispatch(Failing())
    await store.dispatch(Insert("a"))
    let actions: ActionRegistry<Draft> = ["insert": Insert.self, "failing": Failing.self]
    let refused = try await history.timeline.replayed(with: actions) { Store($0, guards: [NoInserts()]) }
    #expect(refused.difference?.revision == 2)
    #expect(refused.difference?.text.hasPrefix("The action was not committed: ") == true)
    let failed = try await Failing.$fails.withValue(true) { try await history.timeline.replayed(with: actions) }
    #expect(failed.difference?.text == "The action failed: Oops()")
    #expect(failed.replayedCount == 0)
  }

  /// After an undo of a part, an action does not start from the state of the entry before it.
  @Test func h9_aHistoryOfAPartIsReplayed() async throws {
    let history = History<Draft>(scope: .part(\.text))
    let store = Store(Draft(), guards: [history])
    await store.dispatch(Insert("a"))
    await store.dispatch(MoveCursor(position: 1))
    await store.dispatch(Insert("b"))
    await store.dispatch(MoveCursor(position: 2))
    await store.dispatch(history.undo())
    // It comes before the undone entries.
    await store.dispatch(MoveCursor(position: 3))
    for _ in 0..<2 {
      let replay = try await history.timeline.replayed(with: draftActions)
      #expect(replay.difference == nil)
      let data = try await history.timeline.exported(actions: draftActions)
      let imported = try await HistoryTimeline<Draft>.imported(from: data, actions: draftActions)
      #expect(try await imported.replayed(with: draftActions).difference == nil)
      await store.dispatch(history.undo())
      await store.dispatch(Insert("x"))
    }
    #expect(await store.state == Draft(text: "x", cursor: 3))
  }

  private struct AddCursor: Mutation, Codable {
    func run(_ state: inout Draft) { state.cursor += 1 }
  }

  private static let actions: ActionRegistry<Draft> = [
    "insert": Insert.self, "move": MoveCursor.self, "add": AddCursor.self,
  ]

  /// Each replayed action starts from the same state as the recorded action, whatever entries come before it.
  @Test func h9_actionsStartFromTheirStates() async throws {
    for (maxCount, seed) in [3, 4, 50].flatMap({ count in (0..<8).map { (count, UInt64($0)) } }) {
      var random = SplitMix64(seed)
      let history = History<Draft>(maxCount: maxCount, scope: .part(\.text))
      let store = Store(Draft(), guards: [history])
      for number in 0..<40 {
        switch random.below(7) {
        case 0: await store.dispatch(Insert("a"))
        case 1: await store.dispatch(MoveCursor(position: number))
        case 2, 3: await store.dispatch(AddCursor())
        case 4: await store.dispatch(history.undo())
        case 5: await store.dispatch(history.redo())
        default: await history.step { for _ in 0..<3 { await store.dispatch(Insert("b")) } }
        }
      }
      let difference = try await history.timeline.replayed(with: Self.actions).difference
      #expect(difference == nil, "limit \(maxCount), seed \(seed)")
    }
  }

  /// A restored part starts from the rest of the state.
  @Test func h9_aRestoredPartIsReplayed() async throws {
    let timeline = await makeTimeline()
    let history = History<Draft>(scope: .part(\.text))
    let store = Store(Draft(text: "", cursor: 7), guards: [history])
    try await store.dispatch(history.restore(timeline))
    await store.dispatch(AddCursor())
    #expect(try await history.timeline.replayed(with: Self.actions).difference == nil)
  }

  @Test func h9_onlyEntriesEndAReplay() async throws {
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history])
    await store.dispatch(Insert("a"))
    await store.dispatch(history.undo())
    await store.dispatch(Insert("b"))
    await #expect(throws: HistoryError.unknown(2)) {
      _ = try await history.timeline.replayed(with: draftActions, upTo: 2)
    }
  }

  /// The replay adopts recorded states by moves in time, which a guard can refuse and a middleware can change.
  @Test func h9_adoptionsAreMovesInTime() async throws {
    struct Only: Guard {
      let moves: Bool
      func veto<A: Action<Draft>>(_ action: A, state: Draft) -> Veto? {
        action is any TimeMove == moves ? nil : Veto("no")
      }
    }
    struct Stamp: Middleware {
      typealias State = Draft

      var changesState: Bool { true }
      func run<A: Action<Draft>>(
        _ action: A, on state: inout Draft, next: inout Next<A>
      ) async throws(Stop<A.Failure>) -> A.Output {
        let output = try await next(action, &state)
        state.cursor += 1
        return output
      }
    }
    let history = History<Draft>()
    let store = Store(Draft(), guards: [history])
    await store.dispatch(label: "closure") { $0.text = "a" }
    let timeline = history.timeline
    let adopted = try await timeline.replayed(with: draftActions) { Store($0, guards: [Only(moves: true)]) }
    #expect(adopted.difference == nil && adopted.adopted == [1])
    let refused = try await timeline.replayed(with: draftActions) { Store($0, guards: [Only(moves: false)]) }
    #expect(refused.difference?.text.hasPrefix("The recorded state was not adopted: ") == true)
    #expect(refused.adopted.isEmpty)
    let changed = try await timeline.replayed(with: draftActions) { Store($0, middleware: [Stamp()]) }
    #expect(changed.difference?.text.hasPrefix("The recorded state was changed:\n") == true)
  }

  @Test func h9_deepStatesAreCompared() async throws {
    indirect enum Chain: Sendable {
      case end, link(Chain)
    }
    struct Grow: Mutation, Codable {
      func run(_ chain: inout Chain) { chain = .link(chain) }
    }
    let history = History<Chain>()
    let store = Store(Chain.end, guards: [history])
    for _ in 0..<40 { await store.dispatch(Grow()) }
    let replay = try await history.timeline.replayed(with: ["grow": Grow.self])
    #expect(replay.difference == nil && replay.replayedCount == 40)
  }

  @Test func h9_eventsAreReplayed() async throws {
    struct Counter: EventDriven, Codable, Equatable {
      enum Event: Codable, Sendable { case added(Int), cleared }
      var count = 0
      mutating func react(to event: Event) {
        switch event {
        case .added(let number): count += number
        case .cleared: count = 0
        }
      }
    }
    let history = History<Counter>()
    let store = Store(Counter(), guards: [EventsOnly(), history])
    await store.dispatch(.added(2))
    await store.dispatch(EmitAll<Counter>([.cleared, .added(3)]))
    await store.dispatch(history.undo())
    let actions: ActionRegistry<Counter> = ["event": Emit<Counter>.self, "events": EmitAll<Counter>.self]
    let data = try await history.timeline.exported(actions: actions)
    let imported = try await HistoryTimeline<Counter>.imported(from: data, actions: actions)
    #expect(imported.entries.map(\.label) == history.timeline.entries.map(\.label))
    let replay = try await imported.replayed(with: actions) { Store($0, guards: [EventsOnly()]) }
    #expect(replay.replayedCount == 2 && replay.difference == nil)
    #expect(await replay.store.state.count == 3)
  }

  @Test func h9_aLongReplayReportsProgressAndIsCancellable() async throws {
    let count = TestSize.count(100_000, few: 5_000)
    let history = History<Draft>(maxCount: .max, clock: nil)
    let store = Store(Draft(), guards: [history])
    for position in 0..<count { await store.dispatch(MoveCursor(position: position)) }
    let timeline = history.timeline
    let fractions = Mutex<[Double]>([])
    let replay = try await timeline.replayed(
      with: draftActions, progress: { fraction in fractions.withLock { $0.append(fraction) } })
    #expect(replay.replayedCount == count && replay.difference == nil)
    #expect(fractions.withLock { $0 == $0.sorted() && $0.last == 1 && (50...101).contains($0.count) })
    let canceled = Task {
      try await timeline.replayed(
        with: draftActions, progress: { if $0 > 0.5 { withUnsafeCurrentTask { $0?.cancel() } } }
      ).replayedCount
    }
    await #expect(throws: CancellationError.self) { try await canceled.value }
  }

  @Test func h9_aNameIsRegisteredOnce() async {
    await #expect(processExitsWith: .failure) {
      let _: ActionRegistry<Draft> = ["insert": Insert.self, "insert": MoveCursor.self]
    }
    await #expect(processExitsWith: .failure) {
      let _: ActionRegistry<Draft> = ["insert": Insert.self, "other": Insert.self]
    }
  }
}
