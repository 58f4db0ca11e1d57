import ActorStore
import ActorStoreEvents
import ActorStoreEventsTesting
import ActorStoreTesting
import Synchronization
import Testing

/// A comparison can use the store, so it runs without the recorder's lock.
@Suite struct ReceiveTests {
  private struct Counter: EventDriven, Equatable {
    struct Event: Sendable, Equatable {
      static let onCompare = Mutex<(@Sendable () -> Void)?>(nil)
      var by = 1
      static func == (one: Event, other: Event) -> Bool {
        onCompare.withLock { $0.take() }?()
        return one.by == other.by
      }
    }
    var count = 0
    mutating func react(to event: Event) { count += event.by }
  }

  @Test func aComparisonCanUseTheStore() async throws {
    let store = TestStore(Counter(), exhaustivity: .off)
    store.store.send(.init(by: 1))
    // For example, an equality that counts its calls in a store.
    Counter.Event.onCompare.withLock { $0 = { store.store.send(.init(by: 5)) } }
    await store.receive(.init(by: 1))
    await store.receive(.init(by: 5))
  }
}
