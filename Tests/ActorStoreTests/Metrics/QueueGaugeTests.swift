import Synchronization
import Testing

@testable import ActorStore

@Suite struct QueueGaugeTests {
  private let metrics = StoreMetrics()

  @Test func storesWithTheSameNameAreOneSeries() throws {
    let stores = [
      try metrics.join("Shop") { 3 }, try metrics.join("Chat") { 0 }, try metrics.join("Shop") { 4 },
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
    let length = Locked(7)
    try withExtendedLifetime(metrics.join { length.withLock { $0 } }) {
      #expect(metrics.queues == [.init(store: "Shop", stores: 1, length: 7, longest: 7)])
      length.withLock { $0 = 1 }
      #expect(metrics.queues == [.init(store: "Shop", stores: 1, length: 1, longest: 7)])
    }
  }

  @Test func theMetricsHoldNothingOfAReleasedStore() throws {
    let count = Count()
    var store: (any ReportGuard<Basket>)? = try metrics.join { [queue = Queue(count)] in queue.length }
    store?.report(queueLength: 2)
    #expect(metrics.queues.map(\.stores) == [1] && count.now == 1)
    withExtendedLifetime(store) {}
    store = nil
    #expect(metrics.queues.isEmpty && count.now == 0)
    #expect(metrics.actions.map(\.name) == ["AddItem"])
  }

  /// The number of objects that exist.
  private final class Count: Sendable {
    private let count = Atomic(0)
    var now: Int { count.load(ordering: .relaxed) }
    func change(by difference: Int) { count.wrappingAdd(difference, ordering: .relaxed) }
  }

  /// What a store's queue holds.
  private final class Queue: Sendable {
    private let count: Count

    init(_ count: Count) {
      self.count = count
      count.change(by: 1)
    }

    deinit { count.change(by: -1) }

    var length: Int { 1 }
  }

  @Test(arguments: [false, true]) func manyStoresJoinAndLeave(newestFirst: Bool) throws {
    let count = Count()
    let names = ["Shop", "Chat", "Room"]
    var stores: [(any ReportGuard<Basket>)?] = []
    for number in 0..<100_000 {
      let queue = Queue(count)
      stores.append(try metrics.join(names[number % 3]) { queue.length })
    }
    #expect(count.now == 100_000)
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
    #expect(count.now == 0)
  }
}
