import Testing

@testable import ActorStore

@Suite struct QueueGaugeTests {
  private let metrics = StoreMetrics()

  @Test func storesWithTheSameNameAreOneSeries() throws {
    let stores = [
      try metrics.join("Shop", queue: .waiting(3)), try metrics.join("Chat"),
      try metrics.join("Shop", queue: .waiting(4)),
    ]
    stores[0].report(queueLength: 9)
    stores[0].report(queueLength: 2)
    stores[1].report(queueLength: 5)
    #expect(
      metrics.queues == [
        .init(store: "Chat", stores: 1, length: 0, longest: 5),
        .init(store: "Shop", stores: 2, length: 7, longest: 9),
      ])
    withExtendedLifetime(stores) {}
  }

  @Test func aLengthThatIsReadCounts() throws {
    let queue = TurnQueue.waiting(6)
    let last = queue.wait()
    try withExtendedLifetime(metrics.join(queue: queue)) {
      #expect(metrics.queues == [.init(store: "Shop", stores: 1, length: 7, longest: 7)])
      queue.withdraw(last)
      #expect(metrics.queues == [.init(store: "Shop", stores: 1, length: 6, longest: 7)])
    }
  }

  @Test func theMetricsHoldNothingOfAReleasedStore() throws {
    weak var queue: TurnQueue?
    var store: (any ReportGuard<Basket>)?
    do {
      let made = TurnQueue.waiting(1)
      queue = made
      store = try metrics.join(queue: made)
    }
    store?.report(queueLength: 2)
    #expect(metrics.queues.map(\.stores) == [1] && queue != nil)
    withExtendedLifetime(store) {}
    store = nil
    #expect(metrics.queues.isEmpty && queue == nil)
    #expect(metrics.actions.map(\.name) == ["AddItem"])
  }

  @Test(arguments: [false, true]) func manyStoresJoinAndLeave(newestFirst: Bool) throws {
    let names = ["Shop", "Chat", "Room"]
    var stores: [(any ReportGuard<Basket>)?] = []
    for number in 0..<100_000 { stores.append(try metrics.join(names[number % 3], queue: .waiting(1))) }
    stores[500]?.report(queueLength: 6)
    #expect(
      metrics.queues == [
        .init(store: "Chat", stores: 33_333, length: 33_333, longest: 1),
        .init(store: "Room", stores: 33_333, length: 33_333, longest: 6),
        .init(store: "Shop", stores: 33_334, length: 33_334, longest: 1),
      ])
    let order = newestFirst ? Array(stores.indices.reversed()) : Array(stores.indices)
    for (left, number) in order.enumerated() {
      stores[number] = nil
      if left % 20_000 == 0 { #expect(metrics.gauges.all.count == 99_999 - left) }
    }
    #expect(metrics.queues.isEmpty && metrics.gauges.all.isEmpty)
  }
}
