import ActorStore
import ActorStoreOptimistic
import ActorStoreTesting
import Testing

/// Optimistic updates of a store, in explored schedules.
@Suite struct OptimisticUpdateTests {
  private struct Document: Equatable, Sendable {
    var title = Optimistic("Untitled")
  }

  private struct Unavailable: Error {}

  /// Refuses the closures with a label.
  private struct Refusal: Guard {
    let label: String

    func veto<A: Action<Document>>(_ action: A, state: Document) -> Veto? {
      "\(action)" == label ? Veto("no") : nil
    }
  }

  private static func update(
    _ title: String, save: @escaping @Sendable () async throws -> Void
  ) -> OptimisticUpdate<Document, String> {
    OptimisticUpdate(\.title, to: title) { _, _ in try await save() }
  }

  private static func explore(_ body: @escaping @Sendable () async throws -> Void) throws {
    try Simulation.explore(.mixed(seed: 5), schedules: 300, timers: .race(upTo: 0), body: body)
  }

  @Test func theCallReturnsAfterTheConfirmation() throws {
    try Self.explore {
      let store = Store(Document())
      async let other = store.dispatch { _ async in await Task.yield() }
      try await store.dispatch(Self.update("New") { await Task.yield() })
      try await Simulation.expect(store.state.title == Optimistic("New"))
      _ = await other
    }
  }

  @Test func theChangeShowsWhileTheGroupSaves() throws {
    try Self.explore {
      let (store, clock) = (Store(Document()), SimulationClock())
      async let rename = store.dispatch(Self.update("New") { try await clock.sleep(for: .seconds(1)) })
      _ = try await store.select(\.title.current).first { $0 == "New" }
      let title = await store.state.title
      try Simulation.expect(title.confirmed == "Untitled" && title.isPending)
      _ = try await rename
    }
  }

  @Test func anOlderAnswerDoesNotWin() throws {
    try Self.explore {
      let (store, clock) = (Store(Document()), SimulationClock())
      let first = store.send(Self.update("Old") { try await clock.sleep(for: .seconds(2)) })
      _ = try await store.select(\.title.current).first { $0 == "Old" }
      try await store.dispatch(Self.update("New") { try await clock.sleep(for: .seconds(1)) })
      try await Simulation.expect(store.state.title == Optimistic("New"))
      _ = try await first.outcome
      try await Simulation.expect(store.state.title == Optimistic("New"))
    }
  }

  @Test func aFailureTakesBackOnlyItsOwnChange() throws {
    try Self.explore {
      let (store, clock) = (Store(Document()), SimulationClock())
      let first = store.send(
        Self.update("Draft") {
          try await clock.sleep(for: .seconds(1))
          throw Unavailable()
        })
      _ = try await store.select(\.title.current).first { $0 == "Draft" }
      async let second = store.dispatch(Self.update("Novel") { try await clock.sleep(for: .seconds(2)) })
      await #expect(throws: Unavailable.self) { try await first.outcome }
      let current = await store.state.title.current
      try Simulation.expect(current == "Novel", "\(current)")
      _ = try await second
      try await Simulation.expect(store.state.title == Optimistic("Novel"))
    }
  }

  @Test func theNumbersIncrease() async throws {
    let store = Store(Document())
    for expected in 1...3 as ClosedRange<UInt64> {
      try await store.dispatch(
        OptimisticUpdate(\.title, to: "\(expected)") { title, number in
          #expect(title == "\(expected)" && number == expected)
        })
    }
  }

  // MARK: Interrupted

  /// At whatever point the task is canceled, the title is confirmed, or nothing remains of the change.
  @Test(arguments: [false, true]) func cancellation(savesAnyway: Bool) throws {
    try Self.explore {
      let (store, clock) = (Store(Document()), SimulationClock())
      let result = await withTaskGroup { group in
        group.addTask {
          await Result {
            try await store.dispatch(
              Self.update("New") {
                if savesAnyway { await Task.yield() } else { try await clock.sleep(for: .seconds(1)) }
              }
            ).get()
          }
        }
        await Task.yield()
        group.cancelAll()
        return await group.next()!
      }
      try await Self.expectSettled(store, result)
    }
  }

  @Test func closing() throws {
    try Self.explore {
      let store = Store(Document())
      let task = Task.inheritingExecutor {
        await Result { try await store.dispatch(Self.update("New") { await Task.yield() }).get() }
      }
      await Task.yield()
      try await store.closeAndDrain()
      try await Self.expectSettled(store, task.value)
    }
  }

  private static func expectSettled(_ store: Store<Document>, _ result: Result<Void, any Error>) async throws {
    let title = await store.state.title
    switch result {
    case .success: try Simulation.expect(title == Optimistic("New"), "\(title)")
    case .failure: try Simulation.expect(title == Optimistic("Untitled"), "\(title)")
    }
  }

  @Test(arguments: ["show", "confirm", "take back"]) func vetoes(_ label: String) async {
    let store = Store(Document(), guards: [Refusal(label: label)])
    let isSaved = Recorder()
    do {
      try await store.dispatch(
        Self.update("New") {
          await isSaved.note()
          if label == "take back" { throw Unavailable() }
        })
      Issue.record("nothing was refused")
    } catch {
      #expect(label == "take back" ? error is Unavailable : error is NotCommitted, "\(error)")
    }
    let hasSaved = await isSaved.isNoted
    let title = await store.state.title
    #expect(hasSaved == (label != "show"))
    #expect(title.confirmed == "Untitled" && title.isPending == (label != "show"))
  }

  private actor Recorder {
    private(set) var isNoted = false
    func note() { isNoted = true }
  }

  /// The group cannot wait for its own commit, so nothing remains of it.
  @Test func insideAnActionOfTheSameStore() throws {
    try Self.explore {
      let store = Store(Document())
      await store.dispatch { _ async in
        await #expect(throws: NotCommitted.self) {
          try await store.dispatch(Self.update("New") { Issue.record("saved") })
        }
      }
      try await store.closeAndDrain()
      try await Simulation.expect(store.state.title == Optimistic("Untitled"))
    }
  }

  /// Two stores whose actions run groups on each other, so that some calls are deferred.
  @Test func insideActionsOfTwoStores() throws {
    try Self.explore {
      let stores = [Store(Document()), Store(Document())]
      await withTaskGroup { group in
        for (one, other) in [(stores[0], stores[1]), (stores[1], stores[0])] {
          group.addTask {
            await one.dispatch { _ async in
              _ = try? await other.dispatch(Self.update("New") { await Task.yield() })
            }
          }
        }
      }
      for store in stores {
        try await store.closeAndDrain()
        let title = await store.state.title
        try Simulation.expect(!title.isPending, "\(title)")
      }
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
