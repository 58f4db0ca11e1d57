import ActorStore

/// The library's store.
struct WatchedActorStore: WatchedSubject {
  private let store = Store(0)

  func commit() async -> Bool {
    await store.dispatch(Count()).isCommitted
  }

  func states(keepingNewest count: Int?, _ filter: Filter?) async -> AsyncStream<Int> {
    store.states(bufferingPolicy: .init(keepingNewest: count), shouldUpdate: filter)
  }

  func close() {
    store.close()
  }

  private struct Count: Action {
    func run(_ count: inout Int) async {
      if count % 2 == 0 { await Task.yield() }
      count += 1
    }
  }
}
