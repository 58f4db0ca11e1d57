import ActorStore
import ActorStoreEvents
import ActorStoreEventsTesting
import ActorStoreTesting
import Testing

@Suite struct TestStoreEventsTests {
  private struct Cart: EventDriven, Equatable {
    enum Event: Sendable, Equatable { case added(String), removed(String) }
    struct Unknown: Error, Equatable { let name: String }

    var items: [String] = []

    mutating func react(to event: Event) throws(Unknown) {
      switch event {
      case .added(let name): items.append(name)
      case .removed(let name):
        guard let index = items.firstIndex(of: name) else { throw Unknown(name: name) }
        items.remove(at: index)
      }
    }
  }

  @Test func eventsAreComparedWithStatedChanges() async throws {
    let store = TestStore(Cart())
    try await store.dispatch(.added("milk")) { $0.items = ["milk"] }
    try await store.dispatch([.added("tea"), .removed("milk")]) { $0.items = ["tea"] }
    await #expect(throws: Cart.Unknown(name: "milk")) { try await store.dispatch(.removed("milk")) }
    try await store.finish()
  }

  @Test func aSentEventMustBeReceived() async throws {
    let store = TestStore(Cart())
    store.store.send(.added("milk"))
    store.store.send(.added("tea"))
    await store.receive(.added("milk")) { $0.items = ["milk"] }
    await store.receive(.added("tea")) { $0.items = ["milk", "tea"] }
    store.store.send([.removed("tea"), .added("eggs")])
    await store.receive([.removed("tea"), .added("eggs")]) { $0.items = ["milk", "eggs"] }
    try await store.finish()
  }

  @Test func anotherEventIsAFailure() async {
    await withKnownIssue {
      let store = TestStore(Cart())
      store.store.send(.added("milk"))
      await store.receive(.added("tea")) { $0.items = ["tea"] }
    }
  }

  /// Two events with the same description can differ.
  @Test func anEventWithTheSameDescriptionIsAFailure() async throws {
    struct Sum: EventDriven, Equatable {
      struct Event: Sendable, Equatable, CustomStringConvertible {
        let amount: Int
        var description: String { "an amount" }
      }

      var total = 0

      mutating func react(to event: Event) { total += event.amount }
    }
    let store = TestStore(Sum())
    store.store.send(Sum.Event(amount: 1))
    await store.receive(Sum.Event(amount: 1)) { $0.total = 1 }
    store.store.send(Sum.Event(amount: 1))
    await withKnownIssue { await store.receive(Sum.Event(amount: 2)) { $0.total = 2 } }
  }

  @Test func aWrongChangeIsAFailure() async {
    await withKnownIssue {
      let store = TestStore(Cart())
      try await store.dispatch(.added("milk")) { $0.items = ["tea"] }
    }
  }

  @Test func aRefusalIsExpected() async throws {
    struct NoTea: Guard {
      func veto<A: Action<Cart>>(_ action: A, state: Cart) -> Veto? {
        "\(action)".contains("tea") ? Veto("no tea") : nil
      }
    }
    let store = TestStore(Cart(), guards: [NoTea()])
    try await store.dispatch(.added("tea"), is: .vetoedFor("no tea"))
    try await store.dispatch([.added("milk"), .added("tea")], is: .vetoedFor("no tea"))
    try await store.finish()
  }
}
