import ActorStore
import ActorStoreEvents
import ActorStoreTesting
import TestSize
import Testing

/// Events for the children of one state, from several tasks, under many schedules.
@Suite struct SimulatedTreeTests {
  private struct Child: EventDriven, Identifiable {
    var id = 0
    var seen: [Int] = []

    mutating func react(to event: Int) { seen.append(event) }
  }

  private struct Parent: EventDriven {
    enum Event: Sendable, Equatable { case child(Int, Int), all(Int), removed(Int) }
    struct Missing: Error { let id: Int }

    static let child = Forwarding(to: \Parent.children, missing: .refused { Missing(id: $0) }) { event in
      switch event {
      case .child(let id, let event): .one(id, event)
      case .all(let event): .all(event)
      case .removed: nil
      }
    }

    var children: IdentifiedArray<Child> = [Child(id: 1), Child(id: 2)]

    mutating func react(to event: Event) throws(Missing) {
      if case .removed(let id) = event { children.remove(id: id) } else { try Self.child.forward(event, to: &self) }
    }
  }

  /// Each task's events reach their child in order, and none is lost.
  @Test func e4_eventsForSiblingsKeepTheirOrder() throws {
    try Simulation.explore(.mixed(seed: 0), schedules: TestSize.count(500, few: 50)) {
      let store = Store(Parent())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<3 {
          group.addTask {
            for step in 0..<3 { try await store.dispatch(.child(1 + task % 2, task * 10 + step)) }
            store.send(.all(task * 10 + 3))
          }
        }
        try await group.waitForAll()
      }
      try await store.closeAndDrain()
      for child in await store.state.children {
        for task in 0..<3 {
          let own = child.seen.filter { $0 / 10 == task }
          let expected = task % 2 + 1 == child.id ? [0, 1, 2, 3] : [3]
          try Simulation.expect(own == expected.map { task * 10 + $0 }, "child \(child.id) has seen \(child.seen)")
        }
      }
    }
  }

  /// Events that wait while their child is removed are refused, and the others have their effect.
  @Test func e5_aChildIsRemovedWhileEventsForItWait() throws {
    try Simulation.explore(.mixed(seed: 1), schedules: TestSize.count(500, few: 50)) {
      let store = Store(Parent())
      var commits = store.events().makeAsyncIterator()
      let refused = try await withThrowingTaskGroup(of: [Int].self) { group in
        for task in 0..<2 {
          group.addTask {
            var refused: [Int] = []
            for step in 0..<3 {
              do throws(Parent.Missing) {
                try await store.dispatch(.child(1, task * 10 + step))
              } catch {
                refused.append(task * 10 + step)
              }
            }
            return refused
          }
        }
        group.addTask {
          try await store.dispatch(.removed(1))
          return []
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      store.close()
      var events: [Parent.Event] = []
      while let commit = await commits.next() { events += commit.events }
      let reached = events.compactMap { if case .child(1, let event) = $0 { event } else { nil } }
      try Simulation.expect(events.last == .removed(1), "an event reached a removed child: \(events)")
      try Simulation.expect((reached + refused).sorted() == [0, 1, 2, 10, 11, 12], "an event was lost")
      for task in 0..<2 {
        let own = (reached + refused).filter { $0 / 10 == task }
        try Simulation.expect(own == own.sorted(), "the order of task \(task) is \(own)")
      }
    }
  }

  /// A stream can begin while a transaction commits.
  @Test func e6_aStreamThatBeginsDuringATransactionHasItsEvents() throws {
    try Simulation.explore(.mixed(seed: 3), schedules: TestSize.count(500, few: 100)) {
      let store = Store(Parent(), guards: [EventsOnly()])
      let states = store.states
      async let done: Void = {
        _ = try? await store.transaction { transaction in
          try transaction.run(.child(1, 1))
          try transaction.run(.child(2, 2))
        }
      }()
      await Task.yield()
      var commits = store.events().makeAsyncIterator()
      let first = await commits.next()
      await done
      store.close()
      var seen = first?.new.children.map(\.seen)
      while let commit = await commits.next() {
        try Simulation.expect(commit.events == [.child(1, 1), .child(2, 2)], "the events are \(commit.events)")
        seen = commit.new.children.map(\.seen)
      }
      try Simulation.expect(seen == [[1], [2]], "the last state has \(String(describing: seen))")
      withExtendedLifetime(states) {}
    }
  }

  /// A facade is replaced in a simulation like in any other test.
  @Test func e9_facadesAreReplacedInASimulation() throws {
    try Simulation.explore(.mixed(seed: 2), schedules: TestSize.count(200, few: 30)) {
      let (one, other) = (Store(Parent()), Store(Parent()))
      await withTaskGroup { group in
        for (number, store) in [one, other].enumerated() {
          group.addTask {
            await AppStore.withStore(store) { _ = try? await AppStore.dispatch(.child(1, number)) }
          }
        }
      }
      try Simulation.expect(await one.state.children[id: 1]?.seen == [0], "the first store has other events")
      try Simulation.expect(await other.state.children[id: 1]?.seen == [1], "the second store has other events")
    }
  }

  private enum AppStore: StoreFacade {
    static func makeDefault() -> Store<Parent> { Store(Parent()) }
  }
}
