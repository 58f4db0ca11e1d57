import ActorStoreTesting
import Testing

@testable import ActorStore

@Suite struct StoreMetricsTests {
  private let metrics = StoreMetrics()

  private func figures(_ name: String) throws -> StoreMetrics.ActionFigures {
    try #require(metrics.actions.first { $0.name == name })
  }

  /// The numbers of reports by name.
  private func totals(_ metrics: StoreMetrics) -> [String: UInt64] {
    Dictionary(uniqueKeysWithValues: metrics.actions.map { ($0.name, $0.counts.values.reduce(0, +)) })
  }

  @Test func newMetricsHaveNoFigures() {
    #expect(metrics.actions.isEmpty && metrics.queues.isEmpty)
  }

  @Test func eachOutcomeHasItsCount() throws {
    let store = try metrics.join()
    let outcomes: [ReportedOutcome] = [
      .committed, .failed(Boom()), .vetoed(Veto("no")), .cancelled, .deferred, .givenUp, .closed, .undone,
    ]
    for (index, outcome) in outcomes.enumerated() {
      for _ in 0...index { store.report(outcome: outcome) }
    }
    let expected: [ReportedOutcome.Kind: UInt64] = [
      .committed: 1, .failed: 2, .vetoed: 3, .cancelled: 4, .deferred: 5, .givenUp: 6, .closed: 7, .undone: 8,
    ]
    #expect(try figures("AddItem").counts == expected)
  }

  @Test func actionsAreInTheOrderOfTheirNames() throws {
    let store = try metrics.join()
    store.report(labeled: "restock")
    store.report(Checkout())
    store.report(outcome: .cancelled)
    #expect(metrics.actions.map(\.name) == ["AddItem", "Checkout", "restock"])
    #expect(try figures("AddItem").counts[.committed] == 0)
    #expect(try figures("Checkout").counts[.committed] == 1)
  }

  @Test func timesAreSummarized() throws {
    let store = try metrics.join()
    for microseconds in 1...1_000 { store.report(waited: .zero, ran: .microseconds(microseconds)) }
    store.report(waited: .milliseconds(80), ran: .seconds(2))
    let figures = try figures("AddItem")
    #expect(figures.waited.count == 1_001 && figures.ran.count == 1_001)
    #expect(figures.waited.sum == .milliseconds(80))
    #expect(figures.ran.sum == .microseconds(500_500) + .seconds(2))
    #expect(figures.waited.max == .milliseconds(80) && figures.ran.max == .seconds(2))
    #expect(figures.waited.p50 == .zero && figures.waited.p999 == .zero)
    for (quantile, exact) in [(figures.ran.p50, 501), (figures.ran.p99, 991), (figures.ran.p999, 1_000)] {
      #expect(quantile >= .microseconds(exact) * 7 / 8 && quantile <= .microseconds(exact) * 9 / 8)
    }
  }

  /// A simulation's clock, for example, or no clock at all.
  @Test func theClockIsTheGivenOne() throws {
    #expect(try metrics.join().reportClock is ContinuousClock)
    #expect(try StoreMetrics(clock: SuspendingClock()).join().reportClock is SuspendingClock)
    #expect(metrics.makeGuard(for: Basket.self).reportClock is ContinuousClock)
    #expect(try !metrics.join().reportsStates)
  }

  @Test func reportsWithoutTimesCount() throws {
    try metrics.join().report()
    let figures = try figures("AddItem")
    #expect(figures.counts[.committed] == 1)
    #expect(figures.waited.count == 0 && figures.ran.count == 0)
    #expect(figures.ran.p999 == .zero && figures.ran.max == .zero)
  }

  @Test func eachWaitCountsOnce() throws {
    let store = try metrics.join()
    store.report(outcome: .deferred, waited: .seconds(1))
    store.report(outcome: .committed, waited: .seconds(2), ran: .seconds(1))
    store.report(outcome: .committed, member: 1, waited: .zero, ran: .seconds(3))
    let figures = try figures("AddItem")
    #expect(figures.waited.count == 1 && figures.waited.max == .seconds(2))
    #expect(figures.ran.count == 2 && figures.ran.max == .seconds(3))
    #expect(figures.counts[.committed] == 2 && figures.counts[.deferred] == 1)
  }

  @Test func labelsDistinguishClosuresAndTransactions() throws {
    let store = try metrics.join()
    store.report(labeled: "add")
    store.report(labeled: "remove")
    store.report(labeled: "add")
    store.report(ClosureAction(label: "load") { (_: inout Basket) async in })
    store.report(TransactionMutation(label: "buy") { (_: inout Store<Basket>.Transaction) in })
    store.report(TransactionAction(label: "order") { (_: inout Store<Basket>.Transaction) async in })
    #expect(totals(metrics) == ["add": 2, "remove": 1, "load": 1, "buy": 1, "order": 1])
  }

  /// A name that users choose for their own purposes would be a series for each value.
  @Test func typesAreNotDescribed() throws {
    struct Remove: Mutation, CustomStringConvertible {
      let item: Int
      var description: String { "remove \(item)" }
      func run(_ basket: inout Basket) {}
    }
    let store = try metrics.join()
    for item in 1...3 { store.report(Remove(item: item)) }
    #expect(totals(metrics) == ["Remove": 3])
  }

  @Test func actionsWithTheSameNameAreOneSeries() throws {
    enum Cart {
      struct AddItem: Mutation {
        func run(_ basket: inout Basket) {}
      }
    }
    let (one, other) = (try metrics.join("one"), try metrics.join("other"))
    one.report()
    one.report(Cart.AddItem())
    other.report(labeled: "AddItem")
    other.report()
    #expect(totals(metrics) == ["AddItem": 4])
  }

  @Test func furtherNamesAreOther() throws {
    let metrics = StoreMetrics(clock: ContinuousClock(), limit: 2)
    let stores = try (0..<20).map { try metrics.join("\($0)") }
    for store in stores {
      store.report(labeled: "one")
      store.report()
      for _ in 0..<2 {
        store.report(Checkout())
        store.report(labeled: "three")
      }
      store.report(labeled: "one")
    }
    #expect(totals(metrics) == ["one": 40, "AddItem": 20, "other": 80])
  }

  /// A guard of the user's may pass reports on.
  @Test func theGuardItselfCounts() {
    let own = metrics.makeGuard(for: Basket.self)
    own.report()
    #expect(totals(metrics) == ["AddItem": 1])
    #expect(metrics.queues.isEmpty)
  }
}
